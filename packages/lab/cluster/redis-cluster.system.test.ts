import assert from 'node:assert/strict';
import { logout, ping } from '@gatehouse/accounts';
import { openRedis } from '@gatehouse/redis';
import { openTestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { during, endings, eventually, msOf, testLog } from '@gatehouse/runtime/testing';
import { privateRedisCluster } from '@gatehouse/dev/testing';
import { check as checkAt, openProcesses, openSome, origin, type Session } from './redis-processes.ts';

const NODES = ['redis', 'redis-2', 'redis-3'];
const ACTIVE = ['active', 'active', 'active'];
const ENDED = ['session_ended', 'session_ended'];

describe('sessions on a Redis Cluster', () => {
  const on = during(async () => {
    const cluster = await privateRedisCluster();
    const all = cluster.urls.join(',');
    // One node of a cluster is enough to find the others.
    return openProcesses(cluster, { app: all, other: cluster.urls[2] ?? '', cutOff: all });
  });
  const atEnd = endings();
  /** One session on each node. */
  let sessions: Session[];
  beforeEach(async () => {
    await on.toPostgres.heal();
    await on.areConnected();
    sessions = await oneForEachNode();
  });

  const oneForEachNode = async (): Promise<Session[]> => {
    const found: Session[] = [];
    while (found.filter(Boolean).length < NODES.length) {
      const session = await openSome(on.app);
      found[await on.nodes.indexOf(session.accountId)] ??= session;
    }
    return found;
  };
  const check = (session: Session, at = on.app) => checkAt(session, at);
  const checkBoth = async (session: Session) => [await check(session), await check(session, on.other)];
  const checkAll = (at: typeof on.app) => Promise.all(sessions.map((session) => check(session, at)));
  /** Waits until the relay has written this session, and all that were marked before it. */
  const workedOff = async ({ sessionId }: Session): Promise<void> => {
    await query(on.app.db, 'insert into live_session_outbox (session_id) values (?)', [sessionId]);
    await eventually(async () => {
      const left = 'select 1 from live_session_outbox where session_id = ?';
      return (await query(on.app.db, left, [sessionId])).length === 0;
    });
  };
  const pingOf = ({ accountId, sessionId }: Session, at = on.app) =>
    ping(
      at,
      { kind: 'session', accountId, sessionId, role: 'User', via: 'bearer', tokenId: 'a', tokenExpiresAt: 0 },
      undefined,
    );
  const ofNode = (index: number): Session => {
    const session = sessions[index];
    assert.ok(session);
    return session;
  };

  it('are read from every node without Postgres, also in large batches', async () => {
    on.toPostgres.reset();
    assert.deepEqual(await checkAll(on.cutOff), ACTIVE);
    const pings = Array.from({ length: 900 }, (_, index) => pingOf(ofNode(index % 3), on.cutOff));
    const statuses = (await Promise.all(pings)).map((pinged) =>
      pinged.kind === 'pinged' ? pinged.status : pinged.code,
    );
    assert.deepEqual(new Set(statuses), new Set([1]));
  });

  for (const [fault, begin, end] of [
    ['killed', () => on.cluster.hold('redis-2'), () => on.cluster.release('redis-2')],
    ['frozen', () => on.cluster.kill('redis-2', 'SIGSTOP'), () => on.cluster.kill('redis-2', 'SIGCONT')],
  ] as const) {
    it(`are read from Postgres for a node that was ${fault}, and from Redis for the others`, async () => {
      await begin();
      // The lesser of two processes, as other work may prolong one.
      const readAt = (at: typeof on.app) => msOf(async () => assert.deepEqual(await checkAll(at), ACTIVE));
      const waitedMs = [await readAt(on.app), await readAt(on.other)];
      assert.ok(Math.min(...waitedMs) < 600, `${waitedMs.join(' and ')} ms`);
      on.toPostgres.reset();
      assert.deepEqual(
        [await check(ofNode(0), on.cutOff), await check(ofNode(2), on.cutOff)],
        ['active', 'active'],
      );
      await assert.rejects(async () => check(ofNode(1), on.cutOff), { name: 'Unavailable' });
      await on.toPostgres.heal();

      // By now every process avoids this node, so no message about this is on its way to it.
      await logout(on.app, ofNode(1), origin);
      assert.deepEqual(await checkBoth(ofNode(1)), ENDED);
      await workedOff(ofNode(0));
      await end();
      await eventually(async () => {
        assert.deepEqual(await checkBoth(ofNode(1)), ENDED);
        return on.app.sessionCache.isConnected() && on.other.sessionCache.isConnected();
      });
      assert.equal(await check(await openSome(on.app, ofNode(1).account), on.other), 'active');
    });
  }

  it('keep the updates that wait for one node when another one is back first', async () => {
    for (const node of ['redis-2', 'redis-3']) on.cluster.kill(node, 'SIGSTOP');
    for (const at of [on.app, on.other, on.cutOff]) await checkAll(at);
    await logout(on.app, ofNode(1), origin);
    on.cluster.kill('redis-3', 'SIGCONT');
    await workedOff(ofNode(2));
    await workedOff(ofNode(0));
    on.cluster.kill('redis-2', 'SIGCONT');
    await eventually(async () => {
      assert.equal(await check(ofNode(1)), 'session_ended');
      return on.app.sessionCache.isConnected() && on.other.sessionCache.isConnected();
    });
    assert.equal(await check(ofNode(1)), 'session_ended');
  });

  it('are updated within a second after a process died, even if many wait for a lost node', async () => {
    await on.cluster.hold('redis-2');
    await eventually(async () => (await check(ofNode(1))) === 'active' && !on.app.sessionCache.isConnected());
    await query(
      on.app.db,
      'insert into live_session_outbox (session_id) select ?::uuid from generate_series(1, 1200)',
      [ofNode(1).sessionId],
    );
    const process = await openTestAccounts(
      { REDIS_URL: 'redis://127.0.0.1:9', REDIS_CLUSTER: false },
      on.app,
    );
    atEnd(() => on.cluster.release('redis-2'));
    atEnd(() => process.stop());
    await logout(process, ofNode(0), origin);
    await eventually(async () => (await check(ofNode(0))) === 'session_ended', 1.5);
  });

  it('are not revived when a slot leaves a node and returns with its copies', async () => {
    const session = ofNode(0);
    const slot = await on.nodes.slotOf(session.accountId);
    // A copy of an earlier fence may remain until it expires.
    assert.ok((await on.nodes.moveSlot(slot, 0, 1)) >= 1);
    await logout(on.app, session, origin);
    await eventually(async () => {
      assert.equal(await check(session), 'session_ended');
      return on.app.sessionCache.isConnected();
    });
    assert.ok((await on.nodes.moveSlot(slot, 1, 0)) >= 1);
    // The session must be refused both by a process that has not noticed the moves and by processes that have.
    on.toPostgres.reset();
    const answer = await check(session, on.cutOff).catch(() => 'unavailable');
    assert.ok(['session_ended', 'unavailable'].includes(answer), answer);
    await on.toPostgres.heal();
    assert.deepEqual(await checkBoth(session), ENDED);
  });

  it('refresh the slot map at most a few times a second, however many MOVED replies there are', async () => {
    const servers = openRedis({ urls: on.cluster.urls.join(','), isCluster: true, log: testLog() });
    atEnd(() => servers.disconnect());
    await eventually(() => servers.ping().then(() => true));
    const before = await on.nodes.slotQuestions();
    const end = performance.now() + 1000;
    while (performance.now() < end) {
      servers.refresh();
      await servers.ping();
    }
    // About ten requests by this process, and one per second by each of the other processes.
    const asked = (await on.nodes.slotQuestions()) - before;
    assert.ok(asked >= 3 && asked <= 20, `${asked} questions`);
  });
});
