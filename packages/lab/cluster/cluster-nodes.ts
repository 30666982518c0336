import { connectRedis, type Redis } from '@gatehouse/redis';
import { eventually, testLog } from '@gatehouse/runtime/testing';

/** The nodes of a Redis Cluster, with an operator's commands. */
export interface Nodes {
  slotOf(accountId: string): Promise<number>;
  /** The index of the node with the keys of an account. */
  indexOf(accountId: string): Promise<number>;
  /** Moves a slot with its keys from one node to another. Returns the number of keys. */
  moveSlot(slot: number, from: number, to: number): Promise<number>;
  /** Whether the node is a replica that is in sync with its master. */
  isInSync(index: number): Promise<boolean>;
  isMaster(index: number): Promise<boolean>;
  /** How often the slot map was requested from all nodes together. */
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
  const isMaster = async (index: number): Promise<boolean> =>
    (await nodeAt(index).info('replication')).includes('role:master');
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
    isInSync: async (index) => (await nodeAt(index).info('replication')).includes('master_link_status:up'),
    isMaster,
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
