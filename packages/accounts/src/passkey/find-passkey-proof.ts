import type { AccountsDeps, NoticeDeps, Origin, PasskeyDeps } from '../deps.ts';
import type { Proof } from '../two-factor/second-factor.ts';
import { checkAssertion, reportClone, type ShownAssertion } from './check-assertion.ts';

/**
 * Checks a passkey's signature as the account's second factor, after a correct password; `undefined` if it is not
 * valid.
 */
export async function findPasskeyProof(
  deps: PasskeyDeps & NoticeDeps & Pick<AccountsDeps, 'relay'>,
  accountId: string,
  shown: ShownAssertion,
  origin: Origin,
): Promise<Proof | undefined> {
  const checked = await checkAssertion(deps, 'second-factor', shown);
  if (checked.kind === 'cloned') await reportClone(deps, checked, origin);
  if (checked.kind !== 'right' || checked.accountId !== accountId) return undefined;
  return { isRecovery: false, passkeyId: checked.passkeyId, use: checked.use };
}
