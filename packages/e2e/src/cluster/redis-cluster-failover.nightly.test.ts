import assert from 'node:assert/strict';
import { openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually, Proxy } from '@gatehouse/runtime/testing';
import { privateRedisCluster, type PrivateRedisCluster } from '@gatehouse/dev/testing';
import { openNodes, type Nodes } from './cluster-nodes.ts';
import { runUsersOn, type RunningUsers } from './cluster-users.ts';

/** Each node and its replica at the start. The numbers are indexes of `Nodes`. */
const PAIRS = [
  { name: 'redis', replica: 'redis-4', at: 0, replicaAt: 3 },
  { name: 'redis-2', replica: 'redis-5', at: 1, replicaAt: 4 },
  { name: 'redis-3', replica: 'redis-6', at: 2, replicaAt: 5 },
] as const;
const USERS = 9;
const RECOVERY_MS = 10_000;

describe('sessions during failover of a Redis Cluster', function () {
  this.timeout(90_000);
  let cluster: PrivateRedisCluster;
  let nodes: Nodes;
  let app: TestAccounts;
  let other: TestAccounts;
  /** A process whose connection to Postgres can be cut. It then answers from Redis alone. */
  let cutOff: TestAccounts;
  let toPostgres: Proxy;
  let lives: RunningUsers;

  before(async () => {
    cluster = await privateRedisCluster({ replicas: true });
    nodes = await openNodes(cluster.urls);
    app = await openTestAccounts({ REDIS_URL: cluster.urls.join(','), REDIS_CLUSTER: true });
    toPostgres = await Proxy.to(app.settings.DATABASE_URL);
    other = await openTestAccounts({ REDIS_URL: cluster.urls[4] ?? '' }, app);
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
    await isWhole();
    // With users on each node.
    lives = await runUsersOn([app, other], { nodes, users: USERS });
  });
  afterEach(() => lives.stop());

  const processes = (): TestAccounts[] => [app, other, cutOff];
  const isWhole = () =>
    eventually(() => processes().every(({ sessionCache }) => sessionCache.isConnected()), 20);

  /** The time until every process trusts every node again and knows the sessions from Redis alone. */
  const recovered = async (): Promise<number> => {
    const begun = performance.now();
    await isWhole();
    const ms = performance.now() - begun;
    const breaches = await lives.stop();
    assert.deepEqual(breaches, []);

    toPostgres.reset();
    assert.deepEqual(new Set(await lives.currentStates(cutOff)), new Set(['active']));
    const dead = await lives.endedStates(cutOff);
    // Sessions that Redis does not know would be read from Postgres, which is not reachable now.
    assert.ok(!dead.includes('active'), dead.join());
    await toPostgres.heal();
    for (const at of [app, other]) {
      assert.deepEqual(new Set(await lives.currentStates(at)), new Set(['active']));
      assert.ok(!(await lives.endedStates(at)).some((state) => !state.startsWith('session_')));
    }
    const twice = `select account_id from user_session where status in (1, 2, 5) group by 1 having count(*) > 1`;
    assert.deepEqual(await query(app.db, twice), []);
    assert.ok(lives.turns() >= USERS, `${lives.turns()} turns`);
    return ms;
  };

  it('keep their guarantees during a manual failover and back', async () => {
    const [{ at, replicaAt }] = PAIRS;
    for (const next of [replicaAt, at]) {
      await eventually(() => nodes.isInSync(next));
      await nodes.takeOver(next);
      // Until every process knows about the failover and no write is pending.
      await lives.forSeconds(3);
    }
    const ms = await recovered();
    assert.ok(ms < RECOVERY_MS, `${ms} ms`);
  });

  it('keep their guarantees when a frozen master resumes with old copies after its replica took over', async () => {
    const [, , { name, at, replicaAt }] = PAIRS;
    await lives.forSeconds(0.5);
    const begun = performance.now();
    cluster.kill(name, 'SIGSTOP');
    await eventually(() => nodes.isMaster(replicaAt));
    await isWhole();
    assert.ok(performance.now() - begun < RECOVERY_MS, `${performance.now() - begun} ms`);
    await lives.forSeconds(1);
    cluster.kill(name, 'SIGCONT');
    await eventually(() => nodes.isInSync(at), 20);
    const ms = await recovered();
    assert.ok(ms < RECOVERY_MS, `${ms} ms`);
  });
});
