import assert from 'node:assert/strict';
import { logout } from '@gatehouse/accounts';
import { openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { eventually, Proxy } from '@gatehouse/runtime/testing';
import { splitRedisCluster, type SplitRedisCluster } from '@gatehouse/dev/testing';
import { openNodes, type Nodes } from './cluster-nodes.ts';
import { check, openSome, origin, type Session } from './cluster-session.ts';

/** `cluster-node-timeout` of the nodes: how long a master that is cut off still answers. */
const NODE_TIMEOUT_MS = 2000;
const HOLDS_MS = 1000;
const RECOVERY_MS = 10_000;

describe('sessions while the network between the nodes of a Redis Cluster is split', function () {
  this.timeout(90_000);
  let cluster: SplitRedisCluster;
  let nodes: Nodes;
  /** A process on the side of two masters and the replica of the third. */
  let app: TestAccounts;
  /** A process on the side of the third master, which is cut off. */
  let minority: TestAccounts;
  /** Another process on that side, whose connection to Postgres can be cut. It then answers from Redis alone. */
  let alone: TestAccounts;
  let toPostgres: Proxy;
  /** The indexes of the master that is cut off, and of its replica. */
  let cut: number;
  let heir: number;

  before(async () => {
    cluster = await splitRedisCluster();
    nodes = await openNodes(cluster.urls);
    app = await openTestAccounts({ REDIS_URL: cluster.urlsOfMajority, REDIS_CLUSTER: true });
    toPostgres = await Proxy.to(app.settings.DATABASE_URL);
    minority = await openTestAccounts({ REDIS_URL: cluster.urlsOfMinority }, app);
    alone = await openTestAccounts({ REDIS_URL: cluster.urlsOfMinority, DATABASE_URL: toPostgres.url }, app);
  });
  after(async () => {
    await toPostgres.heal();
    for (const process of [alone, minority, app]) await process.stop();
    await toPostgres.close();
    nodes.close();
    await cluster.stop();
  });
  beforeEach(async () => {
    [cut, heir] = (await nodes.isMaster(0)) ? [0, 3] : [3, 0];
    await eventually(() => nodes.isInSync(heir), 20);
    await areConnected();
  });
  afterEach(async () => {
    cluster.heal();
    await toPostgres.heal();
  });

  const areConnected = () =>
    eventually(() => [app, minority, alone].every(({ sessionCache }) => sessionCache.isConnected()), 20);
  const tryCheck = (session: Session, at: TestAccounts): Promise<string> =>
    check(session, at).catch(() => 'unavailable');
  const checkAll = (sessions: Session[], at: TestAccounts): Promise<string[]> =>
    Promise.all(sessions.map((session) => tryCheck(session, at)));
  const areActive = async (sessions: Session[], at: TestAccounts): Promise<void> => {
    assert.deepEqual(new Set(await checkAll(sessions, at)), new Set(['active']));
  };
  /** Sessions stored on the master that will be cut off. */
  const someOfCut = async (count: number): Promise<Session[]> => {
    const found: Session[] = [];
    while (found.length < count) {
      const session = await openSome(app);
      if ((await nodes.indexOf(session.accountId)) === cut) found.push(session);
    }
    return found;
  };
  /** How many milliseconds from now the session was last accepted as active. */
  const lastAcceptedMs = async (session: Session, at: TestAccounts, forMs: number): Promise<number> => {
    const begun = performance.now();
    let last = 0;
    while (performance.now() - begun < forMs) {
      if ((await tryCheck(session, at)) === 'active') last = performance.now() - begun;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return last;
  };
  const bothAreMasters = async (): Promise<void> => {
    await eventually(() => nodes.isMaster(heir), 20);
    assert.ok(await nodes.isMaster(cut), 'two masters of the same slots');
  };
  const recovered = async (): Promise<void> => {
    const begun = performance.now();
    cluster.heal();
    await eventually(async () => !(await nodes.isMaster(cut)), 20);
    await eventually(() => nodes.isInSync(cut), 20);
    await areConnected();
    assert.ok(performance.now() - begun < RECOVERY_MS, `${performance.now() - begun} ms`);
  };

  it('end on the side of the minority, too, and live ones stay', async () => {
    const [left, replacedOne, live] = await someOfCut(3);
    assert.ok(left && replacedOne && live);
    await areActive([left, replacedOne, live], minority);
    cluster.split(cut);
    await logout(app, left, origin);
    const next = await openSome(app, replacedOne.account);
    const accepted = await Promise.all([
      lastAcceptedMs(left, minority, 4000),
      lastAcceptedMs(replacedOne, minority, 4000),
    ]);
    // The master that is cut off keeps answering for this time (docs/sessions.md, "On a Redis Cluster").
    for (const ms of accepted) assert.ok(ms < NODE_TIMEOUT_MS + HOLDS_MS, `${accepted.join()} ms`);
    await bothAreMasters();

    // From then on, sessions end at once.
    await areActive([live, next], minority);
    await logout(app, live, origin);
    assert.ok((await lastAcceptedMs(live, minority, 1500)) < HOLDS_MS);
    await recovered();
    for (const at of [app, minority]) {
      const states = await checkAll([left, replacedOne, live], at);
      assert.deepEqual(states, ['session_ended', 'session_replaced', 'session_ended']);
      await areActive([next], at);
    }
  });

  it('are unknown, not active, to a process that reaches neither the majority nor Postgres', async () => {
    const [left, live] = await someOfCut(2);
    assert.ok(left && live);
    await areActive([left, live], alone);
    cluster.split(cut);
    toPostgres.reset();
    await logout(app, left, origin);
    assert.ok((await lastAcceptedMs(left, alone, 4000)) < NODE_TIMEOUT_MS + HOLDS_MS);
    assert.deepEqual(await checkAll([left, live], alone), ['unavailable', 'unavailable']);
    await bothAreMasters();
    await toPostgres.heal();
    await recovered();
    // The copies on the node that took over are used after they have been read from Postgres once.
    await areActive([live], alone);
    toPostgres.reset();
    await areActive([live], alone);
    assert.notEqual(await tryCheck(left, alone), 'active');
    await toPostgres.heal();
    assert.equal(await check(left, alone), 'session_ended');
  });
});
