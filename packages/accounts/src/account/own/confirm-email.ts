import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import {
  accountCodes,
  accounts,
  audit,
  emailChanges,
  inTransaction,
  outbox,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, newMailEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import { byOwner } from '../../actor.ts';
import type { AccountsDeps, MailDeps, Origin, ThrottleDeps } from '../../deps.ts';
import type { Throttled } from '../../checks/attempts.ts';
import { voidBegunLogins } from '../../checks/void-begun-logins.ts';
import { checkCode, type CodeOutcome } from '../../checks/code-check.ts';
import { mayNotify, recipientOf, sourceOf } from '../../checks/mailing.ts';

/** The result of a confirmation; `email_taken`: another account has got the email since the code was mailed. */
export type EmailConfirmation =
  { kind: 'confirmed' } | { kind: 'invalid_code' } | { kind: 'email_taken' } | Throttled;

type Deps = ThrottleDeps & MailDeps & Pick<AccountsDeps, 'relay'>;

/** How long the holder of the former address can take back the change. */
const TAKE_BACK_DAYS = 7;

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
    await voidBegunLogins(tx, accountId);
    await announce(deps, tx, account, origin);
    await audit.append(tx, [byOwner('email.changed', accountId)], origin);
    return { kind: 'confirmed' };
  });
  if (outcome.kind === 'confirmed') deps.relay.wake();
  return outcome;
}

/** Mails the former address a link that takes back the change, because whoever made it may not be the owner. */
async function announce(deps: MailDeps, tx: Transaction, before: Account, origin: Origin): Promise<void> {
  const { id: accountId, email: formerEmail } = before;
  const data = { UserId: accountId };
  if (!(await mayNotify(deps, tx, before, 'account.email-changed')))
    return outbox.add(tx, [newEvent('account.email-changed', data, origin)]);
  const code = newInvitationToken();
  const until = await emailChanges.insert(tx, {
    tokenHash: hashInvitationToken(code),
    accountId,
    formerEmail,
    formerEmailKey: emailKey(formerEmail),
    lifetimeDays: TAKE_BACK_DAYS,
  });
  const content = {
    ...recipientOf(before),
    ...sourceOf(origin),
    TakeBack: { Code: code, Until: until.toISOString() },
  };
  await outbox.add(tx, [newMailEvent(deps.seal, 'account.email-changed', data, content, origin)]);
}
