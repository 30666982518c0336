import assert from 'node:assert/strict';
import { mailPublicKeyOf } from '@gatehouse/crypto';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { createSeal, newMailEvent } from '@gatehouse/events';
import { v7 as uuid } from 'uuid';
import { query, inTransaction, type Db } from '../postgres/connect.ts';
import * as deliveries from './mail-deliveries.ts';
import { isCodeAlive } from './mail-secrets.ts';
import * as outbox from '../outbox/outbox.ts';
import { testDatabase } from '../testing/index.ts';

const content = { Email: 'ann@example.com', Locale: 'en', At: new Date().toISOString() };

describe('mail deliveries', () => {
  let db: Db;
  let drop: () => Promise<void>;
  before(async () => ({ db, drop } = await testDatabase()));
  after(() => drop());

  const recorded = async () => {
    const UserId = uuid();
    const event = newMailEvent(
      createSeal(mailPublicKeyOf('k'.repeat(32))),
      'account.registration-repeated',
      { UserId },
      content,
      { traceId: 't1' },
    );
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    const record = () =>
      deliveries.record(
        db,
        { event, kind: 'already-registered', accountId: UserId, email: content.Email },
        0,
      );
    const hold = await record();
    return { event, record, hold };
  };
  const claimed = async (event: Parameters<typeof deliveries.claim>[1]) => {
    const claim = await deliveries.claim(db, event, 5);
    assert.ok(claim.kind === 'claimed');
    return claim.delivery;
  };
  const row = async (id: string) => {
    const [found] = await query<Record<string, unknown>>(db, 'select * from mail_delivery where id = ?', [
      id,
    ]);
    return found ?? {};
  };
  const waitIsOver = (id: string) =>
    query(
      db,
      `update mail_delivery
       set next_try_at = now() - interval '1 minute', claimed_until = claimed_until - interval '1 minute'
       where id = ?`,
      [id],
    );

  it('records a mail once, and removes its event from the outbox each time', async () => {
    const { event, record } = await recorded();
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event]));
    await record();
    assert.equal((await query(db, 'select 1 from outbox where id = ?', [event.id])).length, 0);
    const found = await row(event.id);
    assert.deepEqual([found['status'], found['tries'], found['trace_id']], ['Pending', 1, 't1']);
    assert.deepEqual(found['event'], event);
  });

  it('assigns a mail to the worker that records it first', async () => {
    const { event, record, hold } = await recorded();
    assert.deepEqual(hold, { id: event.id, hold: 1, tries: 1, ageSeconds: 0 });
    assert.equal(await record(), undefined);
    assert.equal((await claimed(event)).hold, 2);
  });

  it('assigns a mail to one of many workers', async () => {
    const { event } = await recorded();
    const claims = await Promise.all(Array.from({ length: 8 }, () => deliveries.claim(db, event, 5)));
    assert.equal(claims.filter(({ kind }) => kind === 'claimed').length, 1);
    const waits = claims.flatMap((claim) => (claim.kind === 'waiting' ? [claim.seconds] : []));
    assert.ok(waits.length === 7 && waits.every((seconds) => seconds > 3 && seconds <= 5));
  });

  it('reassigns the mail of a dead worker, and from then on accepts only "sent" from the first one', async () => {
    const { event } = await recorded();
    const first = await claimed(event);
    await waitIsOver(event.id);
    assert.ok(
      (await deliveries.findOverdue(db, { overdueSeconds: 30, limit: 10 })).some(({ id }) => id === event.id),
    );
    const second = await claimed(event);
    await deliveries.park(db, first, 'too late');
    await deliveries.markRetry(db, first, { afterSeconds: 1, error: 'too late' });
    assert.equal((await row(event.id))['status'], 'Pending');
    await deliveries.markRetry(db, second, { afterSeconds: 60, error: 'busy' });
    assert.equal((await row(event.id))['status'], 'Retrying');
    await deliveries.markSent(db, first);
    assert.deepEqual(await deliveries.claim(db, event, 5), { kind: 'over' });
  });

  it('keeps mails that are being sent assigned', async () => {
    const { event } = await recorded();
    const claim = await claimed(event);
    await waitIsOver(event.id);
    await deliveries.extendClaims(db, [claim], 5);
    assert.equal((await deliveries.claim(db, event, 5)).kind, 'waiting');
  });

  it('waits until a retry is due, and never retries parked mails', async () => {
    const { event } = await recorded();
    await deliveries.markRetry(db, await claimed(event), { afterSeconds: 60, error: 'busy' });
    const refusal = await deliveries.claim(db, event, 5);
    assert.ok(refusal.kind === 'waiting' && refusal.seconds > 50);
    await deliveries.makeDueByError(db, 'another reason');
    assert.equal((await deliveries.claim(db, event, 5)).kind, 'waiting');
    await deliveries.makeDueByError(db, 'busy');
    await deliveries.park(db, await claimed(event), 'no such mailbox');
    assert.deepEqual(await deliveries.claim(db, event, 5), { kind: 'over' });
    assert.equal((await row(event.id))['last_error'], 'no such mailbox');
  });

  it('reports the number of waiting mails, up to a limit, and the age of the oldest', async () => {
    await query(db, 'delete from mail_delivery');
    assert.deepEqual(await deliveries.backlog(db, 10), { count: 0, ageSeconds: 0 });
    const [oldest, sent, parked, retried] = [
      await recorded(),
      await recorded(),
      await recorded(),
      await recorded(),
    ];
    await query(db, "update mail_delivery set created_at = now() - interval '1 hour' where id = any(?)", [
      [oldest.event.id],
    ]);
    await query(db, "update mail_delivery set created_at = now() - interval '2 hours' where id = any(?)", [
      [sent.event.id, parked.event.id],
    ]);
    await deliveries.markSent(db, await claimed(sent.event));
    await deliveries.park(db, await claimed(parked.event), 'no such mailbox');
    await deliveries.markRetry(db, await claimed(retried.event), { afterSeconds: 60, error: 'busy' });
    const { count, ageSeconds } = await deliveries.backlog(db, 10);
    assert.equal(count, 2);
    assert.ok(ageSeconds >= 3600 && ageSeconds < 3700, String(ageSeconds));
    assert.equal((await deliveries.backlog(db, 1)).count, 1);
  });

  it('knows which code is still valid', async () => {
    const account = uuid();
    await query(db, 'insert into account (id, email, email_key) values (?, ?, ?)', [
      account,
      'b@x.y',
      'b@x.y',
    ]);
    const add = async (minutes: number, tries: number): Promise<string> => {
      const id = uuid();
      await query(db, 'delete from account_code where account_id = ?', [account]);
      await query(
        db,
        `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at)
         values (?, 'verify', ?, '', ?, now() + make_interval(mins => ?))`,
        [account, id, tries, minutes],
      );
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
    await query(
      db,
      `insert into earlier_verify_code (id, account_id, code_hash, tries_left, tries, created_at, expires_at)
       values (?, ?, '', 5, '{}', now(), now() + interval '10 minutes')`,
      [earlier, account],
    );
    assert.equal(await isCodeAlive(db, account, earlier), true);
    assert.equal(await isCodeAlive(db, account, await add(10, 0)), false);
  });
});
