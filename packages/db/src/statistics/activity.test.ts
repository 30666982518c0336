import assert from 'node:assert/strict';
import { withinSeconds } from '@gatehouse/runtime';
import { afterCommit } from '../postgres/transaction/commit.ts';
import { inTransaction } from '../postgres/connect.ts';
import { during, testDatabase } from '../testing/index.ts';
import * as activity from './activity.ts';
import { createActivityCounter } from './activity.ts';

const DAY = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') };

describe('activity counts', () => {
  const database = during(testDatabase);
  beforeEach(() => database.db.raw('delete from activity'));

  const save = (counts: readonly activity.ActivityCount[]) => activity.add(database.db, counts);
  const sums = async (interval: 'hour' | 'day' = 'hour') =>
    (await activity.findSums(database.db, { ...DAY, interval })).map(
      ({ at, kind, count }) => `${at.toISOString()} ${kind} ${count}`,
    );
  const counterAt = (time: string) => createActivityCounter(() => Date.parse(time));

  it('adds up the counts of several processes in the same hour', async () => {
    const counters = Array.from({ length: 20 }, () => counterAt('2026-03-01T12:30:00Z'));
    const kinds = ['refresh', 'reset', 'login.password', 'mail.sent'] as const;
    for (const [index, counter] of counters.entries())
      for (const kind of index % 2 === 0 ? kinds : kinds.toReversed()) counter.count(kind, 3);
    await Promise.all(counters.map((counter) => counter.flush(save)));
    const expected = kinds.toSorted().map((kind) => `2026-03-01T12:00:00.000Z ${kind} 60`);
    assert.deepEqual(await sums(), expected);
  });

  it('keeps each hour apart, and sums up a day', async () => {
    let now = Date.parse('2026-03-01T12:59:59.999Z');
    const counter = createActivityCounter(() => now);
    counter.count('reset');
    now += 1;
    counter.count('reset', 2);
    counter.count('reset', 0);
    await counter.flush(save);
    assert.deepEqual(await sums(), ['2026-03-01T12:00:00.000Z reset 1', '2026-03-01T13:00:00.000Z reset 2']);
    assert.deepEqual(await sums('day'), ['2026-03-01T00:00:00.000Z reset 3']);
  });

  it('retries counts that could not be saved, once, with newer ones', async () => {
    const counter = counterAt('2026-03-01T12:30:00Z');
    counter.count('refresh');
    const failing = counter.flush(() => Promise.reject(new Error('Postgres is away')));
    counter.count('refresh');
    await assert.rejects(failing, /away/);
    await counter.flush(save);
    await counter.flush(save);
    assert.deepEqual(await sums(), ['2026-03-01T12:00:00.000Z refresh 2']);
  });

  it('deletes old counts', async () => {
    const old = new Date(Date.now() - 401 * 86_400_000);
    const young = new Date(Date.now() - 399 * 86_400_000);
    await save([old, young].map((at) => ({ at, kind: 'reset', count: 1 })));
    await activity.deleteOld(database.db, 400);
    const left = await activity.findSums(database.db, { from: new Date(0), to: new Date(), interval: 'day' });
    assert.deepEqual(left.length, 1);
  });

  it('counts what a transaction does when it is committed, and not otherwise', async () => {
    const done: string[] = [];
    const undone = inTransaction(database.db, withinSeconds(5), async (tx) => {
      afterCommit(tx, () => done.push('undone'));
      throw new Error('no');
    });
    await assert.rejects(undone);
    await inTransaction(database.db, withinSeconds(5), async (tx) => {
      afterCommit(tx, () => done.push('first'));
      afterCommit(tx, () => done.push('second'));
      assert.deepEqual(done, []);
    });
    assert.deepEqual(done, ['first', 'second']);
  });
});
