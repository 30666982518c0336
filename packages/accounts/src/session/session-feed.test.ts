import assert from 'node:assert/strict';
import { query, type SessionChange } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { duringEach, eventually, testLog } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { openTestAccounts } from '../testing/index.ts';
import { createSessionFeed } from './session-feed.ts';

const INSERT = `insert into session_event (session_id, account_id, status, reason, token_expires_at)
  select id, ?, 4, 'a test', now() from unnest(cast(? as uuid[])) as id`;

describe('the feed of session changes', () => {
  const app = during(() => openTestAccounts());
  const feed = duringEach(async () => createSessionFeed({ db: app.db, log: testLog() }));

  const listen = () => {
    const deliveries = new Map<string, number>();
    const received = { deliveries, calls: 0, settled: '', stop: () => {} };
    received.stop = feed.follow((changes: readonly SessionChange[], settled) => {
      received.calls += 1;
      received.settled = settled.xact;
      for (const { sessionId } of changes) deliveries.set(sessionId, (deliveries.get(sessionId) ?? 0) + 1);
    });
    return received;
  };
  const insert = (ids: readonly string[], executor = app.db) => query(executor, INSERT, [newId(), ids]);
  const some = (count: number) => Array.from({ length: count }, () => newId());
  /** An open transaction that holds back all later ones. */
  const hold = async () => {
    const older = await app.db.transaction();
    await query(older, 'select pg_current_xact_id()');
    return older;
  };
  const isDelivered = ({ deliveries }: ReturnType<typeof listen>, ids: readonly string[]) =>
    eventually(() => ids.every((id) => deliveries.has(id)), 10);

  it('delivers each change once, also while an older transaction delays them', async () => {
    const first = listen();
    await eventually(() => first.calls > 0);
    const older = await hold();
    const ids = some(5000);
    await insert(ids);
    await isDelivered(first, ids);

    let rowsRead = 0;
    const count = (_: unknown, { response }: { response?: { rows?: unknown[] } }): void => {
      rowsRead += response?.rows?.length ?? 0;
    };
    app.db.on('query-response', count);
    const { calls } = first;
    await eventually(() => first.calls >= calls + 4);
    app.db.off('query-response', count);
    assert.ok(rowsRead < 100, `${rowsRead} rows were read again`);

    const late = some(1);
    await insert(late, older);
    await older.commit();
    await isDelivered(first, late);
    assert.deepEqual([...new Set(first.deliveries.values())], [1], 'each is told once');
  });

  it('delivers unsettled changes to new subscribers, and nothing twice to existing ones', async () => {
    const first = listen();
    await eventually(() => first.calls > 0);
    const older = await hold();
    const [before, after] = [some(2500), some(3)];
    await insert(before);
    await isDelivered(first, before);
    const second = listen();
    await insert(after);
    await isDelivered(second, [...before, ...after]);
    await isDelivered(first, after);
    const { settled } = second;
    await older.commit();
    await eventually(() => BigInt(second.settled) > BigInt(settled));
    for (const { deliveries } of [first, second]) assert.deepEqual([...new Set(deliveries.values())], [1]);
  });

  it('starts from the present for the first subscriber after all have left', async () => {
    const first = listen();
    await eventually(() => first.calls > 0);
    first.stop();
    const older = await hold();
    const [missed, received] = [some(2), some(2)];
    await insert(missed);
    const second = listen();
    await insert(received);
    await isDelivered(second, [...missed, ...received]);
    await older.rollback();
    // Changes of before may be told again, as transactions of other databases hold them back.
    assert.ok([...missed, ...received].every((id) => !first.deliveries.has(id)));
  });
});
