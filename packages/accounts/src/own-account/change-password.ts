import {
  accountCodes,
  accounts,
  audit,
  inTransaction,
  outbox,
  passwordProofs,
  userSessions,
} from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import { accountUpdated } from '../account-admin/account-updated.ts';
import { byOwner } from '../actor.ts';
import type { MailDeps, Origin, PasswordDeps, SessionDeps } from '../deps.ts';
import type { Throttled } from '../login/attempts.ts';
import {
  checkOwnPassword,
  describePasswordFault,
  type PasswordRefusal,
  type ProvedAccount,
} from '../login/credentials.ts';
import { mailNotice } from '../mail/mailing.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** The result of a password change. */
export type PasswordChange =
  | { kind: 'changed' }
  | { kind: 'unfit_password'; fault: PasswordRefusal }
  | { kind: 'wrong_password' }
  | Throttled;

/** Changes an account's password, which requires the current one, and ends its other sessions. */
export async function changePassword(
  deps: PasswordDeps & SessionDeps & MailDeps,
  own: { accountId: string; sessionId: string; current: string; password: string; addressGroup: string },
  origin: Origin,
): Promise<PasswordChange> {
  const { accountId, sessionId, current, password, addressGroup } = own;
  const account = await accounts.findById(deps.db, accountId);
  const fault = await describePasswordFault(deps, password, account?.email ?? '');
  if (fault !== undefined) return { kind: 'unfit_password', fault };
  const checked = await checkOwnPassword(deps, { accountId, password: current, addressGroup });
  if (checked.kind === 'throttled') return checked;
  if (checked.kind === 'failed') return { kind: 'wrong_password' };
  const passwordHash = await deps.passwords.hash(password);
  return setPassword(deps, checked, { passwordHash, sessionId }, origin);
}

/** Sets the password, and invalidates what others may have obtained with the earlier one: sessions and unused codes. */
async function setPassword(
  deps: SessionDeps & MailDeps,
  { account: checked, proof }: ProvedAccount,
  { passwordHash, sessionId }: { passwordHash: string; sessionId: string },
  origin: Origin,
): Promise<PasswordChange> {
  const { id } = checked;
  const change = { status: SessionStatus.Deactivated, reason: 'password_changed', changedBy: id } as const;
  const ended = await inTransaction<string[] | undefined>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, id);
    // The password that was checked is no longer the account's.
    if (account?.passwordVersion !== checked.passwordVersion) return rollBack(undefined);
    if (!(await passwordProofs.changePassword(tx, id, { proof, passwordHash }))) return rollBack(undefined);
    const changed = account.isNewPasswordRequired ? ['NewPasswordRequired'] : [];
    await outbox.add(tx, accountUpdated(id, changed, { changedBy: id, origin }));
    await userSessions.followPassword(tx, sessionId);
    await accountCodes.deleteAll(tx, id);
    const eventData = { UserId: id, Reason: 'change' };
    await mailNotice(deps, tx, account, 'account.password-changed', eventData, origin);
    await audit.append(tx, [byOwner('password.changed', id)], origin);
    return endSessions(
      deps,
      tx,
      { kind: 'account', accountId: id, exceptSessionId: sessionId },
      change,
      origin,
    );
  });
  if (ended === undefined) return { kind: 'wrong_password' };
  await publishSessions(deps, ended);
  return { kind: 'changed' };
}
