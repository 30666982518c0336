import assert from 'node:assert/strict';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { mailEvent } from '@gatehouse/events/testing';
import { v7 as uuid } from 'uuid';
import { query, inTransaction, type Db } from '../postgres/connect.ts';
import * as deliveries from './mail-deliveries.ts';
import { isCodeAlive } from './mail-secrets.ts';
import * as outbox from '../outbox/outbox.ts';
import { claimMail, during, insertRow, testDatabase } from '../testing/index.ts';

const WAIT_IS_OVER = `update mail_delivery
  set next_try_at = now() - interval '1 minute', claimed_until = claimed_until - interval '1 minute'
  where id = ?`;

describe('mail deliveries', () => {
  const database = during(testDatabase);
  let db: Db;
  before(() => ({ db } = database));

  const given = async () => {
    const UserId = uuid();
    const event = mailEvent(UserId, { traceId: 't1' });
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    const mail = { event, kind: 'already-registered', accountId: UserId, email: 'ann@example.com' } as const;
    const record = (fault?: string) => deliveries.record(db, { ...mail, fault });
    return { event, id: event.id, record };
  };
  const recorded = async () => {
    const mail = await given();
    assert.ok(await mail.record());
    return mail;
  };
  const claim = (more: Partial<Parameters<typeof deliveries.claimDue>[1]> = {}) =>
    deliveries.claimDue(db, { limit: 10, holdSeconds: 5, takesOver: true, own: [], ...more });
  const claimed = async ({ id }: { id: string }) => {
    const mail = await claimMail(db, id, 5);
    assert.ok(mail);
    return mail;
  };
  const row = async (id: string) => {
    const sql = 'select * from mail_delivery where id = ?';
    const [found] = await query<Record<string, unknown>>(db, sql, [id]);
    return found ?? {};
  };
  const waitIsOver = (id: string) => query(db, WAIT_IS_OVER, [id]);

  it('records a mail once, and removes its event from the outbox each time', async () => {
    const { event, record } = await recorded();
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    assert.equal(await record(), false);
    assert.equal((await query(db, 'select 1 from outbox where id = ?', [event.id])).length, 0);
    const found = await row(event.id);
    assert.deepEqual([found['status'], found['tries'], found['trace_id']], ['Pending', 0, 't1']);
    assert.deepEqual(found['event'], event);
  });

  it('records a mail that must not be sent as parked', async () => {
    const { id, record } = await given();
    assert.ok(await record('too old'));
    const found = await row(id);
    const facts = [found['status'], found['last_error'], found['next_try_at']];
    assert.deepEqual(facts, ['Parked', 'too old', null]);
    assert.equal(await claimMail(db, id), undefined);
  });

  it('knows when an id belongs to another mail, until that is sent', async () => {
    const mail = await recorded();
    const other = { ...mail.event, data: { ...mail.event.data, Mail: 'AAAA' } };
    assert.equal(await deliveries.isOfOtherMail(db, mail.event), false);
    assert.equal(await deliveries.isOfOtherMail(db, other), true);
    await deliveries.markSent(db, await claimed(mail));
    assert.equal(await deliveries.isOfOtherMail(db, other), false);
  });

  it('assigns each mail to one of many workers, the longest due first', async () => {
    const mails = [await recorded(), await recorded(), await recorded(), await recorded()];
    const all = (await Promise.all(Array.from({ length: 8 }, () => claim({ limit: 3 })))).flat();
    const idsOf = (of: readonly { id: string }[]) => of.map(({ id }) => id);
    assert.deepEqual(idsOf(all).toSorted(), idsOf(mails));
    const [late, early] = [await recorded(), await recorded()];
    const sql = "update mail_delivery set next_try_at = now() - interval '1 minute' where id = ?";
    await query(db, sql, [early.id]);
    assert.deepEqual(idsOf(await claim({ limit: 1 })), [early.id]);
    const [mail] = await claim({ limit: 1 });
    const { data, time } = late.event;
    const own = { id: late.id, kind: 'already-registered', accountId: data.UserId, sealed: data.Mail };
    const state = { hold: 1, tries: 1, traceId: 't1', traceparent: null, eventTime: time };
    assert.deepEqual(mail, { ...own, ...state, ageSeconds: mail?.ageSeconds });
  });

  it('reassigns the mail of a dead worker, and from then on accepts only "sent" from the first one', async () => {
    const mail = await recorded();
    const first = await claimed(mail);
    await waitIsOver(mail.id);
    assert.deepEqual(await claim({ takesOver: false }), []);
    assert.deepEqual(await claim({ own: [mail.id] }), []);
    const second = await claimed(mail);
    await deliveries.park(db, first, 'too late');
    await deliveries.markRetry(db, first, { afterSeconds: 1, error: 'too late' });
    assert.equal((await row(mail.id))['status'], 'Pending');
    await deliveries.markRetry(db, second, { afterSeconds: 60, error: 'busy' });
    assert.equal((await row(mail.id))['status'], 'Retrying');
    await deliveries.markSent(db, first);
    const { status, event } = await row(mail.id);
    assert.equal(status, 'Sent');
    assert.deepEqual((event as typeof mail.event).data, { UserId: mail.event.data.UserId }, 'and no content');
  });

  it('keeps mails that are being sent assigned', async () => {
    const mail = await recorded();
    const held = await claimed(mail);
    await waitIsOver(mail.id);
    await deliveries.extendClaims(db, [held], 5);
    assert.equal(await claimMail(db, mail.id), undefined);
  });

  it('waits until a retry is due, and never retries parked mails', async () => {
    const mail = await recorded();
    await deliveries.markRetry(db, await claimed(mail), { afterSeconds: 60, error: 'busy' });
    assert.equal(await claimMail(db, mail.id), undefined);
    await deliveries.makeDueByError(db, 'another reason');
    assert.equal(await claimMail(db, mail.id), undefined);
    await deliveries.makeDueByError(db, 'busy');
    await deliveries.park(db, await claimed(mail), 'no such mailbox');
    assert.equal(await claimMail(db, mail.id), undefined);
    assert.equal((await row(mail.id))['last_error'], 'no such mailbox');
  });

  it('reports the number of waiting mails, up to a limit, and the age of the oldest', async () => {
    await query(db, 'delete from mail_delivery');
    assert.deepEqual(await deliveries.backlog(db, 10), { count: 0, ageSeconds: 0 });
    const mails = [await recorded(), await recorded(), await recorded(), await recorded()] as const;
    const [oldest, sent, parked, retried] = mails;
    const age = 'update mail_delivery set created_at = now() - make_interval(hours => ?) where id = any(?)';
    await query(db, age, [1, [oldest.event.id]]);
    await query(db, age, [2, [sent.event.id, parked.event.id]]);
    const held = new Map((await claim()).map((mail) => [mail.id, mail]));
    const holdOf = ({ id }: { id: string }) => held.get(id) ?? assert.fail();
    await deliveries.markSent(db, holdOf(sent));
    await deliveries.park(db, holdOf(parked), 'no such mailbox');
    await deliveries.markRetry(db, holdOf(retried), { afterSeconds: 60, error: 'busy' });
    const { count, ageSeconds } = await deliveries.backlog(db, 10);
    assert.equal(count, 2);
    assert.ok(ageSeconds >= 3600 && ageSeconds < 3700, String(ageSeconds));
    assert.equal((await deliveries.backlog(db, 1)).count, 1);
  });

  it('knows which code is still valid', async () => {
    const account = uuid();
    await insertRow(db, 'account', { id: account, email: 'b@x.y', emailKey: 'b@x.y' });
    const add = async (minutes: number, tries: number): Promise<string> => {
      const id = uuid();
      await query(db, 'delete from account_code where account_id = ?', [account]);
      const sql = `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
         values (?, 'verify', ?, '', ?, now() + make_interval(mins => ?))`;
      await query(db, sql, [account, id, tries, minutes]);
      return id;
    };
    const older = await add(10, 5);
    assert.equal(await isCodeAlive(db, account, older), true);
    assert.equal(await isCodeAlive(db, uuid(), older), false);
    const newer = await add(10, 5);
    assert.equal(await isCodeAlive(db, account, older), false);
    assert.equal(await isCodeAlive(db, account, newer), true);
    assert.equal(await isCodeAlive(db, account, await add(-1, 5)), false);
    const earlier = uuid();
    const sql = `insert into earlier_verify_code (id, account_id, code_hash, tries_left, tries, created_at, expires_at)
       values (?, ?, '', 5, '{}', now(), now() + interval '10 minutes')`;
    await query(db, sql, [earlier, account]);
    assert.equal(await isCodeAlive(db, account, earlier), true);
    assert.equal(await isCodeAlive(db, account, await add(10, 0)), false);
  });
});
