import { expiredTokens, forgedClaims } from './forged/claims.ts';
import { createForger, type Forgery } from './forged/forger.ts';
import { forgedHeaders } from './forged/headers.ts';
import { forgedSignatures } from './forged/signatures.ts';
import { forgedSpellings } from './forged/spellings.ts';

export { malleatedSignature } from './forged/signatures.ts';
export { createForger, type Forgery } from './forged/forger.ts';

/** Tokens to refuse, each unlike a valid one in one respect; `expired` ones are genuine but over. */
export function forgedTokens(genuine: string, keySetJson: string): Record<'invalid' | 'expired', Forgery[]> {
  const forger = createForger(genuine, keySetJson);
  return {
    invalid: [forgedHeaders, forgedClaims, forgedSignatures, forgedSpellings].flatMap((forge) =>
      forge(forger),
    ),
    expired: expiredTokens(forger),
  };
}
