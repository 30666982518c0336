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

/** How a verification ended. */
export type EmailVerification = { kind: 'verified' } | { kind: 'invalid_code' } | Throttled;

type Deps = ThrottleDeps & Pick<AccountsDeps, 'codes' | 'relay' | 'activity'>;

/** What a code takes to be checked and used, as a rule: emails without an account take as long. */
const VERIFY_MS = 30;

/** Counts an email as verified by a code that was mailed to it; `email` is normalised, or empty for what is none. */
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
 * A reader of the mails may have used any of the codes, so a code does not tell which of two passwords is the
 * owner's.
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
