import { someEmail } from '@gatehouse/accounts/testing';
import { mailDeliveries, query } from '@gatehouse/db';
import type { Services } from './services.ts';

/** Parks the mail of an invitation, as a mail worker does if it cannot send it. */
export async function parkMail({ app }: Services, invitationId: string): Promise<string> {
  type Event = Parameters<typeof mailDeliveries.record>[1]['event'];
  const [row] = await query<{ event: Event; accountId: string }>(
    app.db,
    `select o.event, i.account_id as "accountId"
     from invitation i
     join outbox o on o.id = i.mail_event_id
     where i.id = ?`,
    [invitationId],
  );
  if (row === undefined) throw new Error('nothing was mailed');
  const mail = { ...row, kind: 'invitation', email: someEmail(), fault: '550 no such mailbox' } as const;
  if (!(await mailDeliveries.record(app.db, mail))) throw new Error('the mail is recorded already');
  return row.event.id;
}
