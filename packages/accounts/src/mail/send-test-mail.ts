import { accounts, audit, inTransaction, mailQuota, outbox, type Actor } from '@gatehouse/db';
import { newMailEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import type { AccountsDeps, Origin } from '../deps.ts';
import { countedAs } from './mailing.ts';

/** `id`: of the mail, which can be followed by it. */
export type TestMail = { kind: 'queued'; id: string } | { kind: 'share_used_up' };

/**
 * Mails an address that the delivery of mails works, the way that every mail goes. It counts towards what
 * administrators have an address mailed in an hour.
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
