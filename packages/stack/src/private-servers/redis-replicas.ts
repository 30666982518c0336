import { connectRedis, type Redis } from '@gatehouse/session-cache';
import { createLog } from '@gatehouse/runtime';

/**
 * Lets running nodes join a cluster, each as a replica of the master at the same index, and waits until they are in
 * sync. `host`: where nodes reach each other.
 */
export async function makeReplicas(options: {
  masters: readonly string[];
  replicas: readonly { url: string; port: number; peersPort: number }[];
  password: string;
  host: string;
}): Promise<void> {
  const log = createLog({ service: 'stack', level: 'error' });
  const masters = options.masters.map((url) => connectRedis({ url, log, hasLongTimeouts: true }));
  const replicas = options.replicas.map(({ url }) => connectRedis({ url, log, hasLongTimeouts: true }));
  try {
    await until(() => [...masters, ...replicas].every(({ status }) => status === 'ready'));
    // After a failover or a restart, either node may be the replica of the other.
    for (const node of [...masters, ...replicas]) {
      await node.call('CONFIG', 'SET', 'masterauth', options.password, 'repl-diskless-sync-delay', '0');
      await node.call('CONFIG', 'REWRITE');
    }
    for (const { port, peersPort } of options.replicas)
      await masters[0]?.call('CLUSTER', 'MEET', options.host, String(port), String(peersPort));
    for (const [index, replica] of replicas.entries()) {
      const id = String(await masters[index]?.cluster('MYID'));
      // Redis refuses this until the node has heard of its master from the other nodes.
      await until(() => replica.call('CLUSTER', 'REPLICATE', id).then(() => true));
    }
    await until(async () => (await Promise.all(replicas.map(isInSync))).every(Boolean));
  } finally {
    for (const node of [...masters, ...replicas]) node.disconnect();
  }
}

async function isInSync(replica: Redis): Promise<boolean> {
  return (await replica.info('replication')).includes('master_link_status:up');
}

const WAIT_MS = 60_000;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const holds = await Promise.resolve(condition()).catch(() => false);
    if (holds) return;
    if (Date.now() > deadline) throw new Error('the replicas were not there in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
