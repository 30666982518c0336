import type { AccountsDeps, NoticeDeps, Origin, PasskeyDeps } from '../deps.ts';
import type { Proof } from '../two-factor/second-factor.ts';
import { checkAssertion, reportClone, type ShownAssertion } from './check-assertion.ts';

/** What a passkey has signed after a right password, as a second factor of that account; `undefined` when it is none. */
export async function findPasskeyProof(
  deps: PasskeyDeps & NoticeDeps & Pick<AccountsDeps, 'relay'>,
  accountId: string,
  shown: ShownAssertion,
  origin: Origin,
): Promise<Proof | undefined> {
  const checked = await checkAssertion(deps, 'second-factor', shown);
  if (checked.kind === 'cloned') await reportClone(deps, checked, origin);
  if (checked.kind !== 'right' || checked.accountId !== accountId) return undefined;
  return { isRecovery: false, use: checked.use };
}
