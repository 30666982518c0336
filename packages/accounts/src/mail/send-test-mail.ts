import { accounts, audit, inTransaction, mailQuota, outbox, type Actor } from '@gatehouse/db';
import { newMailEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import type { AccountsDeps, Origin } from '../deps.ts';
import { countedAs } from '../checks/mailing.ts';

/** `id` is the id of the mail, with which its delivery can be followed. */
export type TestMail = { kind: 'queued'; id: string } | { kind: 'share_used_up' };

/**
 * Sends a mail to an address to test the delivery of mails; it is processed like any other mail. It counts towards the
 * hourly limit of mails that administrators send to one address.
 */
export async function sendTestMail(
  deps: Pick<AccountsDeps, 'db' | 'relay' | 'seal' | 'settings'>,
  { email, actor }: { email: string; actor: Exclude<Actor, { kind: 'System' }> },
  origin: Origin,
): Promise<TestMail> {
  const sent = await inTransaction(deps.db, origin, async (tx): Promise<TestMail> => {
    const counted = countedAs('test', 'administrator');
    const { MAILS_PER_HOUR } = deps.settings;
    if (!(await mailQuota.takeForAddress(tx, emailKey(email), counted, MAILS_PER_HOUR))) {
      return { kind: 'share_used_up' };
    }
    const asker = actor.kind === 'Account' ? await accounts.findById(tx, actor.id) : undefined;
    const content = { Email: email, Locale: asker?.locale ?? 'en', At: new Date().toISOString() };
    const event = newMailEvent(deps.seal, 'mail.test-requested', { UserId: actor.id }, content, origin);
    await outbox.add(tx, [event]);
    const target = { kind: 'Mail', id: event.id } as const;
    await audit.append(tx, [{ action: 'mail.test-sent', actor, target }], origin);
    return { kind: 'queued', id: event.id };
  });
  deps.relay.wake();
  return sent;
}
