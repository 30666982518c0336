import { connectRedis, type Redis } from '@gatehouse/session-cache';
import { eventually, testLog } from '@gatehouse/runtime/testing';

/** The nodes of a Redis Cluster, as an operator speaks to them. */
export interface Nodes {
  slotOf(accountId: string): Promise<number>;
  /** Which of them holds the keys of an account. */
  indexOf(accountId: string): Promise<number>;
  /** Moves a slot with its keys from one to another; says how many keys. */
  moveSlot(slot: number, from: number, to: number): Promise<number>;
  flush(): Promise<void>;
  /** Has one write what it holds to its disk, where it finds it when it starts the next time. */
  snapshot(index: number): Promise<void>;
  /** Whether it is a replica that holds what its master holds. */
  isInSync(index: number): Promise<boolean>;
  isMaster(index: number): Promise<boolean>;
  /** Has a replica take over from its master, which agrees. */
  takeOver(index: number): Promise<void>;
  /** How often all of them together were asked where slots are. */
  slotQuestions(): Promise<number>;
  close(): void;
}

export async function openNodes(urls: readonly string[]): Promise<Nodes> {
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
  return {
    slotOf,
    indexOf: async (accountId) => {
      const slot = await slotOf(accountId);
      const ranges = await first.cluster('SLOTS');
      const port = ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1];
      return all.findIndex((node) => node.options.port === port);
    },
    async moveSlot(slot, from, to) {
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
    flush: async () => {
      await Promise.all(all.map((node) => node.flushall()));
    },
    snapshot: async (index) => void (await nodeAt(index).save()),
    isInSync: async (index) => (await nodeAt(index).info('replication')).includes('master_link_status:up'),
    isMaster: async (index) => (await nodeAt(index).info('replication')).includes('role:master'),
    takeOver: async (index) => void (await nodeAt(index).call('CLUSTER', 'FAILOVER')),
    slotQuestions: async () => {
      const infos = await Promise.all(all.map((node) => node.info('commandstats')));
      const counts = infos.map((info) => Number(/cmdstat_cluster\|slots:calls=(\d+)/.exec(info)?.[1] ?? 0));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: () => {
      for (const node of all) node.disconnect();
    },
  };
}
