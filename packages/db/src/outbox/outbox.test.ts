import assert from 'node:assert/strict';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as uuid } from 'uuid';
import { inTransaction, query, type Db } from '../postgres/connect.ts';
import * as outbox from './outbox.ts';
import { during, reading, testDatabase } from '../testing/index.ts';
import { createWorkWatch } from './work-watch.ts';

const event = (): AnyEvent => newEvent('account.registered', { UserId: uuid() });
const all = { limit: 100, leaseSeconds: 5 };

describe('outbox', () => {
  const database = during(testDatabase);
  let db: Db;
  before(() => ({ db } = database));
  afterEach(() => query(db, 'delete from outbox'));
  const makeDue = () => query(db, "update outbox set publish_after = now() - interval '1 second'");

  it('keeps an event when its transaction commits, and only then', async () => {
    const kept = event();
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [kept]));
    const failing = inTransaction(db, NO_DEADLINE, async (tx) => {
      await outbox.add(tx, [event(), event()]);
      throw new Error('rolled back');
    });
    await assert.rejects(failing);
    assert.deepEqual(await outbox.lease(db, all), [{ id: kept.id, type: kept.type, event: kept }]);
  });

  it('assigns each event to one of many relays', async () => {
    const events = Array.from({ length: 40 }, event);
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, events));
    const leases = Array.from({ length: 8 }, () => outbox.lease(db, { limit: 10, leaseSeconds: 5 }));
    const batches = await Promise.all(leases);
    const ids = batches.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(ids.length, 40);
  });

  it('reads few rows for a batch, although the statistics are those of an empty table', async () => {
    await query(db, 'analyze outbox');
    const { found, read } = await reading(db, 'outbox', async (tx) => {
      await outbox.add(tx, Array.from({ length: 2000 }, event));
      return outbox.lease(tx, all);
    });
    assert.equal(found.length, 100);
    assert.ok(read < 5000, `${read} rows`);
  });

  it('assigns an event to the next relay once the lease of a dead one has expired', async () => {
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event()]));
    assert.equal((await outbox.lease(db, all)).length, 1);
    assert.equal((await outbox.lease(db, all)).length, 0);
    await makeDue();
    assert.equal((await outbox.lease(db, all)).length, 1);
  });

  it('publishes a kept event again ever more rarely, at most every hour', async () => {
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event()]));
    const { id } = (await outbox.lease(db, all))[0] ?? { id: '' };
    const waits: number[] = [];
    const wait = 'select round(extract(epoch from publish_after - now()))::int from outbox';
    for (let turn = 0; turn < 9; turn += 1) {
      await outbox.markPublished(db, [id]);
      waits.push((await query.value<number>(db, wait)) ?? 0);
    }
    assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });
});

describe('createWorkWatch', () => {
  const database = during(testDatabase);
  let db: Db;
  before(() => ({ db } = database));

  it('wakes the job of a table with due rows, not of others, and not while they are leased', async () => {
    const woken: string[] = [];
    const work = createWorkWatch(db);
    work.on('outbox', () => woken.push('outbox'));
    work.on('reset_request', () => woken.push('reset_request'));
    await work.look();
    assert.deepEqual(woken, []);
    await inTransaction(db, NO_DEADLINE, (tx) => outbox.add(tx, [event()]));
    await work.look();
    assert.deepEqual(woken, ['outbox']);
    await outbox.lease(db, { limit: 1, leaseSeconds: 60 });
    await work.look();
    assert.deepEqual(woken, ['outbox']);
  });
});
