import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis, type Redis } from '@gatehouse/redis';
import { createLog } from '@gatehouse/runtime';
import { StackError, until } from '../command.ts';
import { allEnded, type ManagedProcess, type Supervisor } from '../processes/supervisor.ts';
import { makeHome, type Place } from './home.ts';
import { answersRedis } from './probes.ts';

interface Node {
  name: string;
  port: number;
  /** Of a node of a cluster. */
  peersPort?: number;
  /** Added to its configuration. */
  lines?: readonly string[];
}

/** Nothing is stored on disk, as Postgres has it all; nothing is evicted, as each request would read Postgres then. */
export function redis(place: Pick<Place, 'binaries' | 'directory' | 'passwordOf'>, node: Node) {
  const { name, port, peersPort } = node;
  const { binaries, directory, passwordOf } = place;
  const password = passwordOf('redis');
  const home = makeHome(join(directory, name), ['redis', 'valkey', 'nobody']);
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    'save ""',
    'appendonly no',
    'maxmemory-policy noeviction',
    'daemonize no',
    `dir ${JSON.stringify(home.path)}`,
    // In the file, because the process list shows arguments to all users.
    `requirepass ${password}`,
    ...(peersPort === undefined ? [] : clusterLines(peersPort)),
    ...(node.lines ?? []),
  ];
  // Removes the cluster state of an earlier start, because the cluster is formed again. A node that is restarted after
  // a crash keeps its state.
  rmSync(join(home.path, NODES_FILE), { force: true });
  const server: ManagedProcess = {
    name,
    command: binaries.redis,
    args: [home.write('redis.conf', `${lines.join('\n')}\n`)],
    ...home.process,
    isReady: () => answersRedis(port, password),
  };
  return { server, url: `redis://:${password}@127.0.0.1:${port}` };
}

const NODES_FILE = 'nodes.conf';

function clusterLines(peersPort: number): string[] {
  return [
    'cluster-enabled yes',
    `cluster-config-file ${NODES_FILE}`,
    `cluster-port ${peersPort}`,
    'cluster-node-timeout 2000',
    // The remaining nodes keep working if one fails.
    'cluster-require-full-coverage no',
  ];
}

const SLOTS = 16_384;
const FORMING_SECONDS = 30;

/** Three nodes, each with a third of the slots and no replica, as a cluster. Returns their URLs. */
export async function startRedisCluster(place: Place, supervisor: Supervisor): Promise<string[]> {
  const { ports } = place;
  const nodes = [
    { name: 'redis', port: ports.redis, peersPort: ports.redisPeers },
    { name: 'redis-2', port: ports.redis2, peersPort: ports.redis2Peers },
    { name: 'redis-3', port: ports.redis3, peersPort: ports.redis3Peers },
  ];
  const made = nodes.map((node) => redis(place, node));
  await allEnded(made.map(({ server }) => supervisor.start(server)));
  const urls = made.map(({ url }) => url);
  await form(urls, nodes);
  return urls;
}

/** The nodes reach each other at `host`. By commands, because redis-cli is not installed everywhere. */
export async function form(
  urls: readonly string[],
  places: readonly { port: number; peersPort: number }[],
  host = '127.0.0.1',
): Promise<void> {
  const log = createLog({ service: 'stack', level: 'error' });
  const nodes = urls.map((url) => connectRedis({ url, log, hasLongTimeouts: true }));
  try {
    await inTime(() => nodes.every((node) => node.status === 'ready'));
    for (const [index, node] of nodes.entries()) {
      const from = Math.ceil((index * SLOTS) / nodes.length);
      const to = Math.ceil(((index + 1) * SLOTS) / nodes.length) - 1;
      // Each node gets a distinct epoch. Otherwise the nodes would resolve the conflict themselves, and change epochs
      // while in use.
      await node.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
      await node.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
    }
    for (const { port, peersPort } of places.slice(1)) {
      await nodes[0]?.call('CLUSTER', 'MEET', host, String(port), String(peersPort));
    }
    await inTime(async () => (await Promise.all(nodes.map(isFormed))).every(Boolean));
  } finally {
    for (const node of nodes) node.disconnect();
  }
}

async function isFormed(node: Redis): Promise<boolean> {
  const info = await node.cluster('INFO');
  return info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`);
}

async function inTime(condition: () => boolean | Promise<boolean>): Promise<void> {
  if (await until(condition, FORMING_SECONDS)) return;
  throw new StackError(
    'The Redis nodes did not form a cluster',
    'See their logs. Redis 7 or newer is required.',
  );
}
