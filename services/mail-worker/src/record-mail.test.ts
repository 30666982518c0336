import assert from 'node:assert/strict';
import { query, type Db } from '@gatehouse/db';
import { testDatabase } from '@gatehouse/db/testing';
import { v7 as uuid } from 'uuid';
import { forgetMails } from './record-mail.ts';

const DAY_MS = 24 * 3600 * 1000;

describe('forgetMails', () => {
  let db: Db;
  let drop: () => Promise<void>;
  before(async () => ({ db, drop } = await testDatabase()));
  beforeEach(() => query(db, 'delete from mail_delivery'));
  after(() => drop());

  /** A mail that was recorded this many days ago, and sent as many days ago or `sentDays` ago. */
  const add = async (status: string, days: number, sentDays = days) => {
    const id = uuid({ msecs: Date.now() - days * DAY_MS });
    await query(
      db,
      `insert into mail_delivery (id, kind, account_id, event, status, next_try_at, created_at, sent_at)
       values (:id, 'invitation', :id, '{}', :status, case when :isWaiting then now() end,
         now() - make_interval(days => :days),
         case when :status = 'Sent' then now() - make_interval(days => :sentDays) end)`,
      { id, status, isWaiting: status === 'Retrying' || status === 'Pending', days, sentDays },
    );
    return id;
  };
  const kept = async () =>
    (await query<{ id: string }>(db, 'select id from mail_delivery order by id')).map(({ id }) => id);

  it('deletes sent mails after the days that are set, and parked ones after 90', async () => {
    await add('Sent', 31);
    await add('Parked', 91);
    const keeps = [
      await add('Parked', 89),
      await add('Sent', 40, 29),
      await add('Sent', 29),
      await add('Pending', 400),
      await add('Retrying', 400),
    ];
    await forgetMails(db, 30);
    assert.deepEqual(await kept(), keeps.toSorted());
    await forgetMails(db, 100);
    assert.deepEqual(await kept(), keeps.toSorted());
  });

  it('keeps retried mails for their time', async () => {
    const id = await add('Parked', 200);
    await query(db, 'update mail_delivery set retried_at = now() where id = ?', [id]);
    await forgetMails(db, 1);
    assert.deepEqual(await kept(), [id]);
  });

  it('continues until all are deleted, in batches', async () => {
    for (let count = 0; count < 7; count += 1) await add('Sent', 50);
    await forgetMails(db, 30, 2);
    assert.deepEqual(await kept(), []);
  });
});
