import { expiredTokens, forgedClaims } from './forged/claims.ts';
import { createForger, type Forgery } from './forged/forger.ts';
import { forgedHeaders } from './forged/headers.ts';
import { forgedSignatures } from './forged/signatures.ts';
import { forgedSpellings } from './forged/spellings.ts';

export { malleatedSignature } from './forged/signatures.ts';
export { createForger, type Forgery } from './forged/forger.ts';

/**
 * Some 300 tokens that are like a genuine, fresh one but for one thing each, and that must all be refused:
 * `invalid` ones, and `expired` ones, which are genuine but over.
 */
export function forgedTokens(
  genuine: string,
  keySetJson: string,
): { invalid: Forgery[]; expired: Forgery[] } {
  const forger = createForger(genuine, keySetJson);
  return {
    invalid: [
      ...forgedHeaders(forger),
      ...forgedClaims(forger),
      ...forgedSignatures(forger),
      ...forgedSpellings(forger),
    ],
    expired: expiredTokens(forger),
  };
}
