import { accountCodes, accounts, audit, inTransaction, outbox, userSessions } from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import { accountUpdated } from '../admin/account-updated.ts';
import { byOwner } from '../../actor.ts';
import type { LoginDeps, MailDeps, Origin, SessionDeps } from '../../deps.ts';
import { describePasswordFault, type PasswordRefusal } from '../../checks/credentials.ts';
import { mailNotice } from '../../checks/mailing.ts';
import type { OwnerProof } from '../../passkey/prove-owner.ts';
import {
  lockProved,
  PROVED_TOO_LATE,
  provePassword,
  type NotProved,
  type PasswordProofInput,
} from '../../passkey/prove-password.ts';
import { endSessions, publishSessions } from '../../session/sessions.ts';

/** The result of a password change. */
export type PasswordChange =
  { kind: 'changed' } | { kind: 'unfit_password'; fault: PasswordRefusal } | NotProved;

/**
 * Changes an account's password, which requires the current one, and the second factor if there is one. Ends its other
 * sessions.
 */
export async function changePassword(
  deps: LoginDeps & SessionDeps & MailDeps,
  own: { shown: PasswordProofInput; password: string },
  origin: Origin,
): Promise<PasswordChange> {
  const { shown, password } = own;
  const account = await accounts.findById(deps.db, shown.accountId);
  const fault = await describePasswordFault(deps, password, account?.email ?? '');
  if (fault !== undefined) return { kind: 'unfit_password', fault };
  const proof = await provePassword(deps, shown, origin);
  if (proof.kind !== 'proved') return proof;
  const passwordHash = await deps.passwords.from(shown.addressGroup).hash(password);
  return setPassword(deps, proof, { passwordHash, sessionId: shown.sessionId }, origin);
}

/** Sets the password, and invalidates what others may have obtained with the earlier one: sessions and unused codes. */
async function setPassword(
  deps: SessionDeps & MailDeps,
  proof: Extract<OwnerProof, { kind: 'proved' }>,
  { passwordHash, sessionId }: { passwordHash: string; sessionId: string },
  origin: Origin,
): Promise<PasswordChange> {
  const { id } = proof.account;
  const change = { status: SessionStatus.Deactivated, reason: 'password_changed', changedBy: id } as const;
  const ended = await inTransaction<string[] | undefined>(deps.db, origin, async (tx, rollBack) => {
    const account = await lockProved(tx, proof);
    if (account === undefined) return rollBack(undefined);
    await accounts.updatePassword(tx, id, passwordHash);
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
  if (ended === undefined) return PROVED_TOO_LATE;
  await publishSessions(deps, ended);
  return { kind: 'changed' };
}
