import assert from 'node:assert/strict';
import { openSession } from '@gatehouse/accounts';
import { newAccount, openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { accounts, BY_PASSWORD, type Account } from '@gatehouse/db';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { eventually, Proxy, testLog } from '@gatehouse/runtime/testing';

/** Processes on a Redis Cluster. `cutOff` answers from Redis alone while `toPostgres` does not pass. */
export async function openProcesses<Cluster extends { urls: string[]; stop(): Promise<void> }>(
  cluster: Cluster,
  urls: { app: string; other: string; cutOff: string },
) {
  const nodes = await openNodes(cluster.urls);
  const app = await openTestAccounts({ REDIS_URL: urls.app, REDIS_CLUSTER: true });
  const toPostgres = await Proxy.to(app.settings.DATABASE_URL);
  const other = await openTestAccounts({ REDIS_URL: urls.other }, app);
  const cutOff = await openTestAccounts({ REDIS_URL: urls.cutOff, DATABASE_URL: toPostgres.url }, app);
  return {
    cluster,
    nodes,
    app,
    other,
    cutOff,
    toPostgres,
    areConnected: () =>
      eventually(() => [app, other, cutOff].every(({ sessionCache }) => sessionCache.isConnected()), 20),
    stop: async (): Promise<void> => {
      await toPostgres.heal();
      for (const process of [cutOff, other, app]) await process.stop();
      await toPostgres.close();
      nodes.close();
      await cluster.stop();
    },
  };
}

export type Session = Awaited<ReturnType<typeof openSome>>;

export const origin = { traceId: 'test', dueAt: Infinity, authentication: BY_PASSWORD };

/** Logs in, with a new account unless one is given. */
export async function openSome(app: TestAccounts, given?: Account) {
  const account = given ?? (await accounts.findById(app.db, (await newAccount(app)).id));
  assert.ok(account);
  const opening = await openSession(app, account, origin);
  assert.ok(opening.kind === 'opened');
  return { account, accountId: account.id, sessionId: opening.sessionId, Token: opening.tokens.Token };
}

/** What a process says about the session: `active`, or why it is refused. */
export async function check({ Token }: Session, at: TestAccounts): Promise<string> {
  const found = await at.auth.authenticate(`Bearer ${Token}`);
  return found.kind === 'refused' ? found.code : 'active';
}

/** The nodes of a Redis Cluster, with an operator's commands. A node is named by the index of its URL. */
async function openNodes(urls: readonly string[]) {
  const all = urls.map((url) => connectRedis({ url, log: testLog(), hasLongTimeouts: true }));
  await eventually(() => all.every(({ status }) => status === 'ready'));
  const nodeAt = (index: number): Redis => {
    const node = all[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  };
  const first = nodeAt(0);
  const slotOf = (accountId: string): Promise<number> => {
    const tag = Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');
    return first.cluster('KEYSLOT', `{${tag}}`);
  };
  const isMaster = async (index: number): Promise<boolean> =>
    (await nodeAt(index).info('replication')).includes('role:master');
  return {
    slotOf,
    /** The node with the keys of an account. */
    indexOf: async (accountId: string): Promise<number> => {
      const slot = await slotOf(accountId);
      const ranges = await first.cluster('SLOTS');
      const port = ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1];
      return all.findIndex((node) => node.options.port === port);
    },
    /** Moves a slot with its keys from one node to another. Returns the number of keys. */
    async moveSlot(slot: number, from: number, to: number): Promise<number> {
      const [old, next] = [nodeAt(from), nodeAt(to)];
      const [oldId, nextId] = [await old.cluster('MYID'), await next.cluster('MYID')];
      await next.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', oldId);
      await old.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', nextId);
      const keys = await old.cluster('GETKEYSINSLOT', slot, 1000);
      const { host = '', port = 0, password = '' } = next.options;
      if (keys.length > 0)
        await old.call('MIGRATE', host, port, '', 0, 5000, 'AUTH', password ?? '', 'KEYS', ...keys);
      for (const node of [next, old]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', nextId);
      return keys.length;
    },
    /** Whether it is a replica that is in sync with its master. */
    isInSync: async (index: number) =>
      (await nodeAt(index).info('replication')).includes('master_link_status:up'),
    isMaster,
    /** How often the slot map was requested from all nodes together. */
    slotQuestions: async () => {
      const infos = await Promise.all(all.map((node) => node.info('commandstats')));
      const counts = infos.map((info) => Number(/cmdstat_cluster\|slots:calls=(\d+)/.exec(info)?.[1] ?? 0));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: (): void => {
      for (const node of all) node.disconnect();
    },
  };
}
