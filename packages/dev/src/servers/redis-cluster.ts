import { connectRedis, type Redis } from '@gatehouse/redis';
import { createLog } from '@gatehouse/runtime';
import { allEnded, type Supervisor } from '../processes/supervisor.ts';
import type { Ports } from './ports.ts';
import { redis } from './redis.ts';
import { StackError } from '../command.ts';

const SLOTS = 16_384;
const FORMING_SECONDS = 30;
const POLL_MS = 50;

/**
 * Starts three private Redis nodes, each with a third of the slots and no replica, and forms a cluster of them.
 * Returns their URLs.
 */
export async function startRedisCluster(options: {
  supervisor: Supervisor;
  binary: string;
  directory: string;
  ports: Ports;
  password: string;
}): Promise<string[]> {
  const { supervisor, ports } = options;
  const places = [
    { name: 'redis', port: ports.redis, peersPort: ports.redisPeers },
    { name: 'redis-2', port: ports.redis2, peersPort: ports.redis2Peers },
    { name: 'redis-3', port: ports.redis3, peersPort: ports.redis3Peers },
  ];
  const made = places.map((place) => redis({ ...options, port: place.port }, place));
  await allEnded(made.map(({ server }) => supervisor.start(server)));
  const urls = made.map(({ url }) => url);
  await form(urls, places);
  return urls;
}

/**
 * Forms a cluster of nodes, which reach each other at `host`. Uses commands, because redis-cli, which can do the same,
 * is not installed everywhere.
 */
export async function form(
  urls: readonly string[],
  places: readonly { port: number; peersPort: number }[],
  host = '127.0.0.1',
): Promise<void> {
  const log = createLog({ service: 'stack', level: 'error' });
  const nodes = urls.map((url) => connectRedis({ url, log, hasLongTimeouts: true }));
  try {
    await until(() => nodes.every((node) => node.status === 'ready'));
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
    await until(async () => (await Promise.all(nodes.map(isFormed))).every(Boolean));
  } finally {
    for (const node of nodes) node.disconnect();
  }
}

async function isFormed(node: Redis): Promise<boolean> {
  const info = await node.cluster('INFO');
  return info.includes('cluster_state:ok') && info.includes(`cluster_slots_ok:${SLOTS}`);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + FORMING_SECONDS * 1000;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new StackError(
        'The Redis nodes did not form a cluster',
        'See their logs. Redis 7 or newer is required.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
