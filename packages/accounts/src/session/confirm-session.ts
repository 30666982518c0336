import { accounts, inTransaction, sessionConfirmations } from '@gatehouse/db';
import type { Origin, PasswordDeps } from '../deps.ts';
import type { Throttled } from '../login/attempts.ts';
import { checkPassword } from '../login/credentials.ts';

/** How a confirmation ended. */
export type SessionConfirmation = { kind: 'confirmed' } | { kind: 'wrong_password' } | Throttled;

/** Notes for a session that its owner has just shown the password again, which dangerous actions ask for. */
export async function confirmSession(
  deps: PasswordDeps,
  own: { accountId: string; sessionId: string; password: string; addressGroup: string },
  origin: Origin,
): Promise<SessionConfirmation> {
  const { accountId, sessionId, password, addressGroup } = own;
  const account = await accounts.findById(deps.db, accountId);
  const checked = await checkPassword(deps, { userName: account?.email ?? '', password, addressGroup });
  if (checked.kind === 'throttled') return checked;
  if (checked.kind !== 'right' || checked.account.id !== accountId) return { kind: 'wrong_password' };
  await inTransaction(deps.db, origin, (tx) => sessionConfirmations.note(tx, sessionId));
  return { kind: 'confirmed' };
}
