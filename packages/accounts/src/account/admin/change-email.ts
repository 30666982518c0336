import {
  accountAdmin,
  accountCodes,
  accounts,
  audit,
  emailChanges,
  inTransaction,
  mailQuota,
  outbox,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, newMailEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import type { Throttled } from '../../checks/attempts.ts';
import { conditionOf } from '../../checks/login-status.ts';
import { mailCodeForAdministrator, mailNotice, receivesMail, recipientOf } from '../../checks/mailing.ts';
import { voidBegunLogins } from '../../checks/void-begun-logins.ts';
import type { MailDeps, Origin, SessionDeps } from '../../deps.ts';
import type { AccountChangeResult } from './administer-account.ts';
import { removeUnverified, type By } from './create-account.ts';

type Deps = SessionDeps & MailDeps;

/** The result of a change of email by an administrator; `email_taken`: another account has the address. */
export type EmailChangeResult = AccountChangeResult | Throttled | { kind: 'email_taken' };

interface Order {
  email: string;
  /** Changes it at once; otherwise the owner confirms it with a code from a mail to the new address. */
  isForced: boolean;
}

/**
 * Changes the email of somebody else's account, or mails the new address a code with which its owner confirms it, as if
 * they had requested it. Mails go to both addresses, without the administrator's own.
 */
export async function changeEmail(
  deps: Deps,
  accountId: string,
  order: Order,
  by: By & { origin: Origin },
): Promise<EmailChangeResult> {
  const outcome = await inTransaction<EmailChangeResult>(deps.db, by.origin, async (tx, rollBack) => {
    const account = await accountAdmin.lock(tx, accountId);
    if (account === undefined) return { kind: 'unknown' };
    if (by.isUnproven === true && (order.isForced || account.role === 'Admin')) return { kind: 'unproven' };
    const reason = obstacleTo(account, order);
    if (reason !== undefined) return { kind: 'conflict', reason };
    const { traceId } = by.origin;
    const removed = order.isForced
      ? await removeUnverified(tx, order.email, { traceId, exceptId: accountId })
      : {};
    const owner = await accounts.findByEmailKey(tx, emailKey(order.email));
    if (owner !== undefined && owner.id !== accountId) return { kind: 'email_taken' };
    const result = order.isForced
      ? await setEmail(deps, tx, account, { email: order.email, removed }, by)
      : await requestConfirmation(deps, tx, account, order.email, by);
    return result.kind === 'changed' ? result : rollBack(result);
  });
  if (outcome.kind === 'changed') deps.relay.wake();
  return outcome;
}

function obstacleTo(account: ManagedAccount, { email, isForced }: Order): string | undefined {
  if (account.email === email) return 'The account has this email already';
  if (account.signup === 'invitation')
    return 'The guest has not accepted the invitation yet: invite the new address';
  if (!isForced && conditionOf(account) !== undefined)
    return 'The owner cannot log in now, and so cannot confirm the new address';
  return undefined;
}

async function requestConfirmation(
  deps: Deps,
  tx: Transaction,
  account: ManagedAccount,
  email: string,
  { actor, origin }: By & { origin: Origin },
): Promise<EmailChangeResult> {
  const { MAILS_PER_HOUR } = deps.settings;
  if (!(await mailQuota.takeForAddress(tx, emailKey(email), 'email-change-code', MAILS_PER_HOUR)))
    return { kind: 'throttled', retryAfterSeconds: 3600 };
  const throttled = await mailCodeForAdministrator(deps, tx, { ...account, email }, 'change-email', origin);
  if (throttled !== undefined) return throttled;
  const { traceId } = origin;
  await mailNotice(deps, tx, account, 'account.email-change-announced', { UserId: account.id }, { traceId });
  const target = { kind: 'Account', id: account.id } as const;
  await audit.append(tx, [{ action: 'email.change-requested', actor, target }], origin);
  return { kind: 'changed', account };
}

/**
 * The former address gets no link that takes this back: it may be that of a stranger, or of whoever broke into the
 * mailbox. For the same reason earlier links become invalid.
 */
async function setEmail(
  deps: Deps,
  tx: Transaction,
  account: ManagedAccount,
  { email, removed }: { email: string; removed: { RemovedId?: string } },
  { actor, origin }: By & { origin: Origin },
): Promise<EmailChangeResult> {
  const { id } = account;
  // An address that nobody has verified still has to be: whoever registered it may not be the owner.
  const changed = { email, emailKey: emailKey(email), verifies: false };
  if (!(await accounts.updateEmail(tx, id, changed))) return { kind: 'email_taken' };
  await accountCodes.deleteAll(tx, id);
  await emailChanges.deleteAll(tx, id);
  await voidBegunLogins(tx, id);
  const data = { UserId: id };
  const { traceId } = origin;
  const mails = receivesMail(account, 'own') ? [account, { ...account, email }] : [];
  await outbox.add(tx, [
    newEvent('account.email-changed', data, origin),
    ...mails.map((to) =>
      newMailEvent(
        deps.seal,
        'account.email-set',
        data,
        { ...recipientOf(to), At: new Date().toISOString() },
        { traceId },
      ),
    ),
  ]);
  const target = { kind: 'Account', id } as const;
  await audit.append(tx, [{ action: 'email.changed', actor, target, details: removed }], origin);
  return { kind: 'changed', account: { ...account, email } };
}
