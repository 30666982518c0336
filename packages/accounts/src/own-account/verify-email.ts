import { accounts, audit, inTransaction, outbox } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { accountUpdated } from '../account-admin/account-updated.ts';
import { byOwner } from '../actor.ts';
import type { AccountsDeps, Origin, ThrottleDeps } from '../deps.ts';
import type { Throttled } from '../login/attempts.ts';
import { checkCode, type CodeOutcome } from '../login/code-check.ts';
import { isOpenToRegistration } from '../login/login-status.ts';
import { countOnCommit } from '../statistics/count-on-commit.ts';

/** The result of a verification. */
export type EmailVerification = { kind: 'verified' } | { kind: 'invalid_code' } | Throttled;

type Deps = ThrottleDeps & Pick<AccountsDeps, 'codes' | 'relay' | 'activity'>;

/** The usual time for checking and using a code: emails without an account take as long. */
const VERIFY_MS = 30;

/**
 * Marks an email as verified with a code that was mailed to it; `email` is normalised, or empty if it is not a valid
 * address.
 */
export async function verifyEmail(
  deps: Deps,
  given: { email: string; typed: string; addressGroup: string },
  origin: Origin,
): Promise<EmailVerification> {
  return withMinimumDuration(VERIFY_MS, verify(deps, given, origin));
}

async function verify(
  deps: Deps,
  { email, typed, addressGroup }: Parameters<typeof verifyEmail>[1],
  origin: Origin,
): Promise<EmailVerification> {
  const account = await accounts.findByEmailKey(deps.db, emailKey(email));
  const code = await checkCode(deps, { account, purpose: 'verify', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed' || account === undefined) return { kind: 'invalid_code' };
  return markVerified(deps, account.id, code, origin);
}

/**
 * Marks the email as verified. If the account was registered with two passwords, its password is removed: the reader of
 * the mails may have used any of the codes, so the code does not tell which password is the owner's.
 */
async function markVerified(
  deps: Deps,
  accountId: string,
  code: Extract<CodeOutcome, { kind: 'right' }>,
  origin: Origin,
): Promise<EmailVerification> {
  const isVerified = await inTransaction<boolean>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !isOpenToRegistration(account)) return rollBack(false);
    if (!(await code.use(tx))) return rollBack(false);
    countOnCommit(deps, tx, 'verification');
    if (account.isContested) await accounts.removePassword(tx, accountId);
    await accounts.markEmailVerified(tx, accountId);
    const changed = account.isContested ? ['NewPasswordRequired'] : [];
    await outbox.add(tx, [
      newEvent('account.verified', { UserId: accountId }, origin),
      ...accountUpdated(accountId, changed, { changedBy: accountId, origin }),
    ]);
    const details = account.isContested ? { Contested: true } : undefined;
    await audit.append(tx, [{ ...byOwner('account.verified', accountId), details }], origin);
    return true;
  });
  if (!isVerified) return { kind: 'invalid_code' };
  deps.relay.wake();
  return { kind: 'verified' };
}
