import { accountCodes, accounts, audit, inTransaction } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { byOwner } from '../actor.ts';
import type { AccountsDeps, MailDeps, Origin, ThrottleDeps } from '../deps.ts';
import type { Throttled } from '../login/attempts.ts';
import { checkCode, type CodeOutcome } from '../login/code-check.ts';
import { mailNotice } from '../mail/mailing.ts';

/** The result of a confirmation; `email_taken`: another account has got the email since the code was mailed. */
export type EmailConfirmation =
  { kind: 'confirmed' } | { kind: 'invalid_code' } | { kind: 'email_taken' } | Throttled;

type Deps = ThrottleDeps & MailDeps & Pick<AccountsDeps, 'relay'>;

/** Changes an account's email to the address that the code was mailed to. */
export async function confirmEmail(
  deps: Deps,
  own: { accountId: string; typed: string; addressGroup: string },
  origin: Origin,
): Promise<EmailConfirmation> {
  const { accountId, typed, addressGroup } = own;
  const account = await accounts.findById(deps.db, accountId);
  const code = await checkCode(deps, { account, purpose: 'change-email', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed' || code.email === undefined) return { kind: 'invalid_code' };
  return setEmail(deps, accountId, { email: code.email, use: code.use }, origin);
}

async function setEmail(
  deps: Deps,
  accountId: string,
  { email, use }: { email: string; use: Extract<CodeOutcome, { kind: 'right' }>['use'] },
  origin: Origin,
): Promise<EmailConfirmation> {
  const outcome = await inTransaction<EmailConfirmation>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !(await use(tx))) return rollBack({ kind: 'invalid_code' });
    const isChanged = await accounts.updateEmail(tx, accountId, { email, emailKey: emailKey(email) });
    // After the rollback, the code is not used up.
    if (!isChanged) return rollBack({ kind: 'email_taken' });
    await accountCodes.deleteAll(tx, accountId);
    await mailNotice(deps, tx, account, 'account.email-changed', { UserId: accountId }, origin);
    await audit.append(tx, [byOwner('email.changed', accountId)], origin);
    return { kind: 'confirmed' };
  });
  if (outcome.kind === 'confirmed') deps.relay.wake();
  return outcome;
}
