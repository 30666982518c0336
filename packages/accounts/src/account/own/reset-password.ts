import {
  accountCodes,
  accounts,
  audit,
  inTransaction,
  loginThrottle,
  outbox,
  profiles,
  type Account,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey, SessionStatus } from '@gatehouse/schema';
import { accountUpdated, differingNames } from '../admin/account-updated.ts';
import { byOwner } from '../../actor.ts';
import type { AccountsDeps, MailDeps, Origin, SessionDeps, ThrottleDeps } from '../../deps.ts';
import type { Throttled } from '../../checks/attempts.ts';
import { checkCode, type CodeOutcome } from '../../checks/code-check.ts';
import { describePasswordFault, type PasswordRefusal } from '../../checks/credentials.ts';
import { mailNotice } from '../../checks/mailing.ts';
import { endSessions, publishSessions } from '../../session/sessions.ts';
import { countOnCommit } from '../../checks/count-on-commit.ts';

/** The result of a reset. */
export type PasswordReset =
  | { kind: 'reset' }
  | { kind: 'unfit_password'; fault: PasswordRefusal }
  | { kind: 'invalid_code' }
  | Throttled;

type RightCode = Extract<CodeOutcome, { kind: 'right' }>;

/** The usual time for checking a code: emails without an account take as long. */
const CHECK_MS = 30;

/**
 * Sets a new password with a mailed code; `email` is normalised, or empty if it is not a valid address. `displayName` and
 * `locale` are the owner's for an account that this completes; others keep theirs.
 */
export async function resetPassword(
  deps: ThrottleDeps & SessionDeps & MailDeps & Pick<AccountsDeps, 'passwords'>,
  given: {
    email: string;
    typed: string;
    password: string;
    displayName: string | undefined;
    locale: string | undefined;
    addressGroup: string;
  },
  origin: Origin,
): Promise<PasswordReset> {
  const { password, displayName, locale, email, addressGroup } = given;
  const fault = await describePasswordFault(deps, password, email);
  if (fault !== undefined) return { kind: 'unfit_password', fault };
  const { account, code } = await withMinimumDuration(CHECK_MS, tryCode(deps, given));
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed' || account === undefined) return { kind: 'invalid_code' };
  const passwordHash = await deps.passwords.from(addressGroup).hash(password);
  return setPassword(deps, account, { passwordHash, displayName, locale }, code, origin);
}

async function tryCode(
  deps: ThrottleDeps & Pick<AccountsDeps, 'codes'>,
  { email, typed, addressGroup }: { email: string; typed: string; addressGroup: string },
) {
  const account = await accounts.findByEmailKey(deps.db, emailKey(email));
  return { account, code: await checkCode(deps, { account, purpose: 'reset', typed, addressGroup }) };
}

/** Sets the password, and invalidates everything from before: sessions, codes and counted failures. */
async function setPassword(
  deps: SessionDeps & MailDeps,
  { id }: Account,
  { passwordHash, ...own }: { passwordHash: string } & Record<'displayName' | 'locale', string | undefined>,
  code: RightCode,
  origin: Origin,
): Promise<PasswordReset> {
  const change = { status: SessionStatus.Deactivated, reason: 'password_reset', changedBy: id } as const;
  const ended = await inTransaction<string[] | undefined>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, id);
    if (account === undefined || !(await code.use(tx))) return rollBack(undefined);
    countOnCommit(deps, tx, 'reset');
    await accounts.updatePassword(tx, id, passwordHash);
    const isCompleted = account.signup !== 'complete';
    if (isCompleted || !account.isEmailVerified) {
      await accounts.markEmailVerified(tx, id);
      await outbox.add(tx, [newEvent('account.verified', { UserId: id }, origin)]);
    }
    const changed = [
      ...(isCompleted ? differingNames(account, (await profiles.update(tx, id, own)) ?? account) : []),
      ...(account.isNewPasswordRequired ? ['NewPasswordRequired'] : []),
    ];
    await outbox.add(tx, accountUpdated(id, changed, { changedBy: id, origin }));
    await accountCodes.deleteAll(tx, id);
    // With two-factor authentication, somebody who reads the mails could otherwise guess codes without limit.
    if (!account.isTwoFactorEnabled)
      await loginThrottle.clear(tx, { kind: 'email', emailKey: emailKey(account.email) });
    const eventData = { UserId: id, Reason: 'reset' };
    await mailNotice(deps, tx, account, 'account.password-changed', eventData, origin);
    await audit.append(tx, [byOwner('password.reset', id)], origin);
    return endSessions(deps, tx, { kind: 'account', accountId: id }, change, origin);
  });
  if (ended === undefined) return { kind: 'invalid_code' };
  await publishSessions(deps, ended);
  return { kind: 'reset' };
}
