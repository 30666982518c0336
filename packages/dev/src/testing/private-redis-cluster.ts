import { connectRedis, type Redis } from '@gatehouse/redis';
import { createLog } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { allEnded } from '../processes/supervisor.ts';
import { form, redis, startRedisCluster } from '../servers/redis.ts';
import { freePorts } from '../stack/ports.ts';
import { PASSWORD, privateServers } from './private-servers.ts';
import { openNetwork, type Way } from './split-network.ts';

export type PrivateRedisCluster = Awaited<ReturnType<typeof privateRedisCluster>>;

/** A separate Redis Cluster on free ports that a test may disrupt. */
export function privateRedisCluster() {
  return privateServers('redis', async ({ supervisor, place }) => ({
    /** The URLs of `redis`, `redis-2` and `redis-3`. A node that is held loses its data. */
    urls: await startRedisCluster(place, supervisor),
    kill: (node: string, signal: NodeJS.Signals) => supervisor.kill(node, signal),
  }));
}

const NODES = ['redis', 'redis-2', 'redis-3', 'redis-4'] as const;
/** The addresses at which nodes reach each other, and at which processes of each side reach the nodes. */
const AMONG_NODES = '127.0.0.10';
const OF_MINORITY = '127.0.0.11';
const OF_MAJORITY = '127.0.0.12';

export type SplitRedisCluster = Awaited<ReturnType<typeof splitRedisCluster>>;

/**
 * A Redis Cluster on a network that can be split. Each node connects to the others from a separate source address,
 * which identifies it. Works on Linux only, which accepts every address of 127.0.0.0/8.
 */
export function splitRedisCluster() {
  return privateServers('redis', async ({ supervisor, place, atEnd }) => {
    const [some, more] = [place.ports, await freePorts()];
    const ports = [
      { port: some.redis, peersPort: some.redisPeers },
      { port: some.redis2, peersPort: some.redis2Peers },
      { port: some.redis3, peersPort: some.redis3Peers },
      { port: more.redis, peersPort: more.redisPeers },
    ];
    const sources = new Map(NODES.map((name, index) => [`127.0.0.${21 + index}`, name]));
    const nodes = [...sources].map(([source, name], index) => {
      const { port, peersPort } = ports[index] ?? { port: 0, peersPort: 0 };
      const lines = [
        `bind-source-addr ${source}`,
        `cluster-announce-ip ${AMONG_NODES}`,
        // Redirected clients stay at the address that they connected to.
        'cluster-preferred-endpoint-type unknown-endpoint',
      ];
      return { name, port, peersPort, ...redis(place, { name, port, peersPort, lines }) };
    });
    const network = await openNetwork(
      nodes.flatMap(({ name, port, peersPort }): Way[] => [
        { host: AMONG_NODES, port, to: { name, port }, from: sources },
        { host: AMONG_NODES, port: peersPort, to: { name, port: peersPort }, from: sources },
        { host: OF_MINORITY, port, to: { name, port }, from: 'minority' },
        { host: OF_MAJORITY, port, to: { name, port }, from: 'majority' },
      ]),
    );
    atEnd.push(() => network.close());
    await allEnded(nodes.map(({ server }) => supervisor.start(server)));
    const urls = nodes.map(({ url }) => url);
    await form(urls.slice(0, 3), nodes.slice(0, 3), AMONG_NODES);
    for (const replica of nodes.slice(3)) await makeReplica(urls[0] ?? '', replica);
    const urlsAt = (host: string) => urls.map((url) => url.replace('127.0.0.1', host)).join(',');
    return {
      /** The URLs of three masters and of a replica of the first. They bypass the network, for observers outside of it. */
      urls,
      /** The URLs for a process on the smaller side, and below those for a process on the larger side. */
      urlsOfMinority: urlsAt(OF_MINORITY),
      urlsOfMajority: urlsAt(OF_MAJORITY),
      /** Puts one node on the smaller side and the others on the larger side. The sides cannot reach each other. */
      split: (node: number) => network.split(new Set([NODES[node] ?? '', 'minority'])),
      heal: () => network.heal(),
    };
  });
}

/** Lets a node join the cluster of this master, as its replica, in sync. */
async function makeReplica(
  masterUrl: string,
  own: { url: string; port: number; peersPort: number },
): Promise<void> {
  const log = createLog({ service: 'stack', level: 'error' });
  const open = (url: string): Redis => connectRedis({ url, log, hasLongTimeouts: true });
  const [master, replica] = [open(masterUrl), open(own.url)];
  try {
    // After a failover or a restart, either node may be the replica of the other.
    for (const node of [master, replica]) {
      await eventually(() => node.status === 'ready', WAIT_SECONDS);
      await node.call('CONFIG', 'SET', 'masterauth', PASSWORD, 'repl-diskless-sync-delay', '0');
      await node.call('CONFIG', 'REWRITE');
    }
    await master.call('CLUSTER', 'MEET', AMONG_NODES, String(own.port), String(own.peersPort));
    const id = await master.cluster('MYID');
    // Redis refuses this until the node has heard of its master from the other nodes.
    await eventually(() => replica.call('CLUSTER', 'REPLICATE', id), WAIT_SECONDS);
    const isInSync = async () => (await replica.info('replication')).includes('master_link_status:up');
    await eventually(isInSync, WAIT_SECONDS);
  } finally {
    for (const node of [master, replica]) node.disconnect();
  }
}

const WAIT_SECONDS = 60;
