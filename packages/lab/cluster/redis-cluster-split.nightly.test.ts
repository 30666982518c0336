import assert from 'node:assert/strict';
import { logout } from '@gatehouse/accounts';
import type { TestAccounts } from '@gatehouse/accounts/testing';
import { during, eventually } from '@gatehouse/runtime/testing';
import { splitRedisCluster } from '@gatehouse/dev/testing';
import { check, openProcesses, openSome, origin, type Session } from './redis-processes.ts';

/** `cluster-node-timeout` of the nodes: how long a master that is cut off still answers. */
const NODE_TIMEOUT_MS = 2000;
const HOLDS_MS = 1000;
const RECOVERY_MS = 10_000;

describe('sessions while the network between the nodes of a Redis Cluster is split', function () {
  this.timeout(90_000);
  /** `app` is on the side of two masters, the others on that of the third, which is cut off. */
  const on = during(async () => {
    const cluster = await splitRedisCluster();
    const { urlsOfMajority: app, urlsOfMinority: other } = cluster;
    return openProcesses(cluster, { app, other, cutOff: other });
  });
  /** The indexes of the master that is cut off, and of its replica. */
  let cut: number;
  let heir: number;
  beforeEach(async () => {
    [cut, heir] = (await on.nodes.isMaster(0)) ? [0, 3] : [3, 0];
    await eventually(() => on.nodes.isInSync(heir), 20);
    await on.areConnected();
  });
  afterEach(async () => {
    on.cluster.heal();
    await on.toPostgres.heal();
  });

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
      const session = await openSome(on.app);
      if ((await on.nodes.indexOf(session.accountId)) === cut) found.push(session);
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
    await eventually(() => on.nodes.isMaster(heir), 20);
    assert.ok(await on.nodes.isMaster(cut), 'two masters of the same slots');
  };
  const recovered = async (): Promise<void> => {
    const begun = performance.now();
    on.cluster.heal();
    await eventually(async () => !(await on.nodes.isMaster(cut)), 20);
    await eventually(() => on.nodes.isInSync(cut), 20);
    await on.areConnected();
    assert.ok(performance.now() - begun < RECOVERY_MS, `${performance.now() - begun} ms`);
  };

  it('end on the side of the minority, too, and live ones stay', async () => {
    const [left, replacedOne, live] = await someOfCut(3);
    assert.ok(left && replacedOne && live);
    await areActive([left, replacedOne, live], on.other);
    on.cluster.split(cut);
    await logout(on.app, left, origin);
    const next = await openSome(on.app, replacedOne.account);
    const accepted = await Promise.all([
      lastAcceptedMs(left, on.other, 4000),
      lastAcceptedMs(replacedOne, on.other, 4000),
    ]);
    // The master that is cut off keeps answering for this time (docs/sessions.md, "On a Redis Cluster").
    for (const ms of accepted) assert.ok(ms < NODE_TIMEOUT_MS + HOLDS_MS, `${accepted.join()} ms`);
    await bothAreMasters();

    // From then on, sessions end at once.
    await areActive([live, next], on.other);
    await logout(on.app, live, origin);
    assert.ok((await lastAcceptedMs(live, on.other, 1500)) < HOLDS_MS);
    await recovered();
    for (const at of [on.app, on.other]) {
      const states = await checkAll([left, replacedOne, live], at);
      assert.deepEqual(states, ['session_ended', 'session_replaced', 'session_ended']);
      await areActive([next], at);
    }
  });

  it('are unknown, not active, to a process that reaches neither the majority nor Postgres', async () => {
    const [left, live] = await someOfCut(2);
    assert.ok(left && live);
    await areActive([left, live], on.cutOff);
    on.cluster.split(cut);
    on.toPostgres.reset();
    await logout(on.app, left, origin);
    assert.ok((await lastAcceptedMs(left, on.cutOff, 4000)) < NODE_TIMEOUT_MS + HOLDS_MS);
    assert.deepEqual(await checkAll([left, live], on.cutOff), ['unavailable', 'unavailable']);
    await bothAreMasters();
    await on.toPostgres.heal();
    await recovered();
    // The copies on the node that took over are used after they have been read from Postgres once.
    await areActive([live], on.cutOff);
    on.toPostgres.reset();
    await areActive([live], on.cutOff);
    assert.notEqual(await tryCheck(left, on.cutOff), 'active');
    await on.toPostgres.heal();
    assert.equal(await check(left, on.cutOff), 'session_ended');
  });
});
