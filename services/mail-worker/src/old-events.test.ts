import assert from 'node:assert/strict';
import { inTransaction, mailDeliveries, query } from '@gatehouse/db';
import { during, testDatabase } from '@gatehouse/db/testing';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { mailPublicKeyOf, NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { forgetMails } from './record-mail.ts';
import { MAIL_KEY, startTestMailWorker } from './testing/index.ts';

const DAY_MS = 24 * 3600 * 1000;
/** MAIL_KEEP_DAYS of the worker in these tests. */
const KEEP_DAYS = 30;

describe('replayed mail events', () => {
  const rig = during(startTestMailWorker);
  before(() => rig.startWorker());

  const made = (daysAgo: number) => {
    const at = new Date(Date.now() - daysAgo * DAY_MS);
    const Email = `${uuid()}@example.com`;
    const content = { Email, Locale: 'en', At: at.toISOString() };
    // An attacker who publishes an event again can choose its time, but not its id.
    const [id, now] = [uuid({ msecs: at.getTime() }), new Date()];
    const type = 'account.registration-repeated';
    const seal = createSeal(mailPublicKeyOf(MAIL_KEY));
    const event = newMailEvent(seal, type, { UserId: uuid() }, content, { id, at: now });
    return { event, id, Email };
  };
  const publish = ({ event }: ReturnType<typeof made>) =>
    rig.broker.channel.publish(rig.broker.topology.exchange, event.type, Buffer.from(JSON.stringify(event)));
  const countOf = (email: string): number => rig.mailsTo(email).length;

  it('send nothing when the record of the mail was deleted', async () => {
    const mail = made(KEEP_DAYS - 1);
    publish(mail);
    await rig.hasStatus(mail.id, 'Sent');
    const sql = "update mail_delivery set sent_at = now() - interval '31 days' where id = ?";
    await query(rig.db, sql, [mail.id]);
    await forgetMails(rig.db, KEEP_DAYS);
    assert.equal((await rig.delivery(mail.id))['status'], 'Sent', 'it stays as long as its event is taken');
    assert.equal(countOf(mail.Email), 1);

    const old = made(KEEP_DAYS);
    publish(old);
    const row = await rig.hasStatus(old.id, 'Parked');
    publish(old);
    assert.match(String(row['last_error']), /may have been sent before/);
    assert.equal(countOf(old.Email), 0);
  });

  it('are sent if an operator confirms that they were only delayed', async () => {
    const late = made(KEEP_DAYS + 70);
    publish(late);
    await rig.hasStatus(late.id, 'Parked');
    await inTransaction(rig.db, NO_DEADLINE, (tx) => mailDeliveries.retry(tx, [late.id]));
    await rig.hasStatus(late.id, 'Sent');
    assert.equal(countOf(late.Email), 1);
  });
});

describe('forgetMails', () => {
  const database = during(testDatabase);
  beforeEach(() => query(database.db, 'delete from mail_delivery'));

  /** A mail that was recorded this many days ago, and sent as many days ago or `sentDays` ago. */
  const add = async (status: string, days: number, sentDays = days) => {
    const id = uuid({ msecs: Date.now() - days * DAY_MS });
    const sql = `insert into mail_delivery (id, kind, account_id, event, status, next_try_at, created_at, sent_at)
       values (:id, 'invitation', :id, '{}', :status, case when :status in ('Retrying', 'Pending') then now() end,
         now() - make_interval(days => :days),
         case when :status = 'Sent' then now() - make_interval(days => :sentDays) end)`;
    await query(database.db, sql, { id, status, days, sentDays });
    return id;
  };
  const kept = () => query.column<string>(database.db, 'select id from mail_delivery order by id');

  it('deletes sent mails after the days that are set, parked ones after 90, and retried ones by that time', async () => {
    await add('Sent', 31);
    await add('Parked', 91);
    const retried = await add('Parked', 200);
    await query(database.db, 'update mail_delivery set retried_at = now() where id = ?', [retried]);
    const keeps = [
      retried,
      await add('Parked', 89),
      await add('Sent', 40, 29),
      await add('Sent', 29),
      await add('Pending', 400),
      await add('Retrying', 400),
    ];
    await forgetMails(database.db, 30);
    assert.deepEqual(await kept(), keeps.toSorted());
    await forgetMails(database.db, 100);
    assert.deepEqual(await kept(), keeps.toSorted());
  });

  it('continues until all are deleted, in batches', async () => {
    for (let count = 0; count < 7; count += 1) await add('Sent', 50);
    await forgetMails(database.db, 30, 2);
    assert.deepEqual(await kept(), []);
  });
});
