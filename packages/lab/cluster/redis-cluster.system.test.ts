import assert from 'node:assert/strict';
import { logout, ping } from '@gatehouse/accounts';
import { openRedis } from '@gatehouse/redis';
import { openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually, Proxy, testLog } from '@gatehouse/runtime/testing';
import { privateRedisCluster, type PrivateRedisCluster } from '@gatehouse/dev/testing';
import { openNodes, type Nodes } from './cluster-nodes.ts';
import { check as checkAt, openSome, origin, type Session } from './cluster-session.ts';

const NODES = ['redis', 'redis-2', 'redis-3'];
describe('sessions on a Redis Cluster', function () {
  this.timeout(60_000);
  let cluster: PrivateRedisCluster;
  let nodes: Nodes;
  let app: TestAccounts;
  /** Another process of the same installation. */
  let other: TestAccounts;
  /** A process whose connection to Postgres can be cut. It then answers from Redis alone. */
  let cutOff: TestAccounts;
  let toPostgres: Proxy;
  /** One session on each node. */
  let sessions: Session[];

  before(async () => {
    cluster = await privateRedisCluster();
    nodes = await openNodes(cluster.urls);
    app = await openTestAccounts({ REDIS_URL: cluster.urls.join(','), REDIS_CLUSTER: true });
    toPostgres = await Proxy.to(app.settings.DATABASE_URL);
    // One node of a cluster is enough to find the others.
    other = await openTestAccounts({ REDIS_URL: cluster.urls[2] ?? '' }, app);
    cutOff = await openTestAccounts({ DATABASE_URL: toPostgres.url }, app);
  });
  after(async () => {
    await toPostgres.heal();
    for (const process of [cutOff, other, app]) await process.stop();
    await toPostgres.close();
    nodes.close();
    await cluster.stop();
  });
  beforeEach(async () => {
    await toPostgres.heal();
    await eventually(() => [app, other, cutOff].every(({ sessionCache }) => sessionCache.isConnected()));
    sessions = await oneForEachNode();
  });

  const oneForEachNode = async (): Promise<Session[]> => {
    const found: Session[] = [];
    while (found.filter(Boolean).length < NODES.length) {
      const session = await openSome(app);
      found[await nodes.indexOf(session.accountId)] ??= session;
    }
    return found;
  };
  const check = (session: Session, at = app) => checkAt(session, at);
  const checkAll = (at = app) => Promise.all(sessions.map((session) => check(session, at)));
  /**
   * Marks the session for the relay and waits until the relay has written it. Sessions that were marked earlier have
   * been processed by then.
   */
  const workedOff = async ({ sessionId }: Session): Promise<void> => {
    await query(app.db, 'insert into live_session_outbox (session_id) values (?)', [sessionId]);
    await eventually(async () => {
      const left = 'select 1 from live_session_outbox where session_id = ?';
      return (await query(app.db, left, [sessionId])).length === 0;
    });
  };
  const pingOf = ({ accountId, sessionId }: Session, at = app) =>
    ping(
      at,
      { kind: 'session', accountId, sessionId, role: 'User', via: 'bearer', tokenId: 'a', tokenExpiresAt: 0 },
      undefined,
    );
  const on = (index: number): Session => {
    const session = sessions[index];
    assert.ok(session);
    return session;
  };

  it('are read from every node without Postgres, also in large batches', async () => {
    toPostgres.reset();
    assert.deepEqual(await checkAll(cutOff), ['active', 'active', 'active']);
    const pings = Array.from({ length: 900 }, (_, index) => pingOf(on(index % 3), cutOff));
    const statuses = (await Promise.all(pings)).map((pinged) =>
      pinged.kind === 'pinged' ? pinged.status : pinged.code,
    );
    assert.deepEqual(new Set(statuses), new Set([1]));
  });

  for (const [fault, begin, end] of [
    ['killed', () => cluster.hold('redis-2'), () => cluster.release('redis-2')],
    ['frozen', () => cluster.kill('redis-2', 'SIGSTOP'), () => cluster.kill('redis-2', 'SIGCONT')],
  ] as const) {
    it(`are read from Postgres for a node that was ${fault}, and from Redis for the others`, async () => {
      await begin();
      const begun = performance.now();
      assert.deepEqual(await checkAll(), ['active', 'active', 'active']);
      assert.ok(performance.now() - begun < 600, `${performance.now() - begun} ms`);
      toPostgres.reset();
      assert.deepEqual([await check(on(0), cutOff), await check(on(2), cutOff)], ['active', 'active']);
      await assert.rejects(async () => check(on(1), cutOff), { name: 'Unavailable' });
      await toPostgres.heal();
      await checkAll(other);

      // By now every process avoids this node, so no message about this is on its way to it.
      await logout(app, on(1), origin);
      assert.deepEqual([await check(on(1)), await check(on(1), other)], ['session_ended', 'session_ended']);
      await workedOff(on(0));
      await end();
      await eventually(async () => {
        assert.equal(await check(on(1)), 'session_ended');
        assert.equal(await check(on(1), other), 'session_ended');
        return app.sessionCache.isConnected() && other.sessionCache.isConnected();
      });
      assert.equal(await check(await openSome(app, on(1).account), other), 'active');
    });
  }

  it('keep the updates that wait for one node when another one is back first', async () => {
    for (const node of ['redis-2', 'redis-3']) cluster.kill(node, 'SIGSTOP');
    for (const at of [app, other, cutOff]) await checkAll(at);
    await logout(app, on(1), origin);
    cluster.kill('redis-3', 'SIGCONT');
    await workedOff(on(2));
    await workedOff(on(0));
    cluster.kill('redis-2', 'SIGCONT');
    await eventually(async () => {
      assert.equal(await check(on(1)), 'session_ended');
      return app.sessionCache.isConnected() && other.sessionCache.isConnected();
    });
    assert.equal(await check(on(1)), 'session_ended');
  });

  it('are updated within a second after a process died, even if many wait for a lost node', async () => {
    await cluster.hold('redis-2');
    await eventually(async () => (await check(on(1))) === 'active' && !app.sessionCache.isConnected());
    await query(
      app.db,
      'insert into live_session_outbox (session_id) select ?::uuid from generate_series(1, 1200)',
      [on(1).sessionId],
    );
    const process = await openTestAccounts({ REDIS_URL: 'redis://127.0.0.1:9', REDIS_CLUSTER: false }, app);
    try {
      await logout(process, on(0), origin);
      await eventually(async () => (await check(on(0))) === 'session_ended', 1.5);
    } finally {
      await process.stop();
      await cluster.release('redis-2');
    }
  });

  it('are not revived when a slot leaves a node and returns with its copies', async () => {
    const session = on(0);
    const slot = await nodes.slotOf(session.accountId);
    // A copy of an earlier fence may remain until it expires.
    assert.ok((await nodes.moveSlot(slot, 0, 1)) >= 1);
    await logout(app, session, origin);
    await eventually(async () => {
      assert.equal(await check(session), 'session_ended');
      return app.sessionCache.isConnected();
    });
    assert.ok((await nodes.moveSlot(slot, 1, 0)) >= 1);
    // The session must be refused both by a process that has not noticed the moves and by processes that have.
    toPostgres.reset();
    const answer = await check(session, cutOff).catch(() => 'unavailable');
    assert.ok(['session_ended', 'unavailable'].includes(answer), answer);
    await toPostgres.heal();
    assert.equal(await check(session), 'session_ended');
    assert.equal(await check(session, other), 'session_ended');
  });

  it('refresh the slot map at most a few times a second, however many MOVED replies there are', async () => {
    const servers = openRedis({ urls: cluster.urls.join(','), isCluster: true, log: testLog() });
    try {
      await eventually(() => servers.ping().then(() => true));
      const before = await nodes.slotQuestions();
      const end = performance.now() + 1000;
      while (performance.now() < end) {
        servers.refresh();
        await servers.ping();
      }
      // About ten requests by this process, and one per second by each of the other processes.
      const asked = (await nodes.slotQuestions()) - before;
      assert.ok(asked >= 3 && asked <= 20, `${asked} questions`);
    } finally {
      servers.disconnect();
    }
  });
});
