import { connectRedis, type Redis } from '@gatehouse/redis';
import { createLog } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';

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
    await eventually(() => [...masters, ...replicas].every(({ status }) => status === 'ready'), WAIT_SECONDS);
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
      await eventually(() => replica.call('CLUSTER', 'REPLICATE', id), WAIT_SECONDS);
    }
    await eventually(async () => (await Promise.all(replicas.map(isInSync))).every(Boolean), WAIT_SECONDS);
  } finally {
    for (const node of [...masters, ...replicas]) node.disconnect();
  }
}

async function isInSync(replica: Redis): Promise<boolean> {
  return (await replica.info('replication')).includes('master_link_status:up');
}

const WAIT_SECONDS = 60;
