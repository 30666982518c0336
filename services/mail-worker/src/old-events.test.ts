import assert from 'node:assert/strict';
import { inTransaction, mailDeliveries, query } from '@gatehouse/db';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { forgetMails } from './record-mail.ts';
import { MAIL_KEY, startTestMailWorker, type TestMailWorker } from './testing/index.ts';

const DAY_MS = 24 * 3600 * 1000;
/** MAIL_KEEP_DAYS of the worker in these tests. */
const KEEP_DAYS = 30;

describe('replayed mail events', () => {
  let rig: TestMailWorker;
  beforeEach(async () => {
    rig = await startTestMailWorker();
    await rig.startWorker();
  });
  afterEach(() => rig.close());

  const made = (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * DAY_MS);
    const Email = `${uuid()}@example.com`;
    const content = { Email, Locale: 'en', At: at.toISOString() };
    const id = uuid({ msecs: at.getTime() });
    const type = 'account.registration-repeated';
    const event = newMailEvent(createSeal(mailPublicKeyOf(MAIL_KEY)), type, { UserId: uuid() }, content, {
      id,
      // An attacker who publishes an event again can choose this time.
      at: new Date(),
    });
    return { event, id, Email };
  };
  const publish = ({ event }: ReturnType<typeof made>) =>
    rig.broker.channel.publish(rig.broker.topology.exchange, event.type, Buffer.from(JSON.stringify(event)));
  const hasBecome = (id: string, status: string) =>
    eventually(async () => (await rig.delivery(id))['status'] === status, 15);
  const countOf = (email: string): number => rig.sink.mails.filter(({ to }) => to.includes(email)).length;

  it('send nothing when the record of the mail was deleted', async () => {
    const mail = made(KEEP_DAYS - 1);
    publish(mail);
    await hasBecome(mail.id, 'Sent');
    await query(rig.db, "update mail_delivery set sent_at = now() - interval '31 days' where id = ?", [
      mail.id,
    ]);
    await forgetMails(rig.db, KEEP_DAYS);
    assert.equal((await rig.delivery(mail.id))['status'], 'Sent', 'it stays as long as its event is taken');
    assert.equal(countOf(mail.Email), 1);

    const old = made(KEEP_DAYS);
    publish(old);
    await hasBecome(old.id, 'Parked');
    publish(old);
    assert.match(String((await rig.delivery(old.id))['last_error']), /may have been sent before/);
    assert.equal(countOf(old.Email), 0);
  });

  it('are sent if an operator confirms that they were only delayed', async () => {
    const late = made(KEEP_DAYS + 70);
    publish(late);
    await hasBecome(late.id, 'Parked');
    await inTransaction(rig.db, NO_DEADLINE, (tx) => mailDeliveries.retry(tx, [late.id]));
    await hasBecome(late.id, 'Sent');
    assert.equal(countOf(late.Email), 1);
  });
});
