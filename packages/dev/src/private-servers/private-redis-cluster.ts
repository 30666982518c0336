import { freePorts } from '../stack/ports.ts';
import { quiet } from '../command.ts';
import { provide } from '../install/provide.ts';
import { createPrivateFolder } from './private-folder.ts';
import { makeReplicas } from './redis-replicas.ts';
import { redis, startRedisCluster } from '../servers/redis.ts';
import type { Supervisor } from '../processes/supervisor.ts';

/** A separate Redis Cluster that a test may disrupt. */
export interface PrivateRedisCluster {
  /**
   * The URLs of `redis`, `redis-2` and `redis-3`, followed by their replicas `redis-4`, `redis-5` and `redis-6` in the
   * same order.
   */
  urls: string[];
  /** Kills a node and keeps it stopped until `release`. */
  hold(node: string): Promise<void>;
  /** Starts a stopped node. Its data is lost. */
  release(node: string): Promise<void>;
  kill(node: string, signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const PASSWORD = 'for-tests-alone';

/** Starts a cluster on free ports; with `replicas`, each node has one. */
export async function privateRedisCluster(
  options: { replicas?: boolean } = {},
): Promise<PrivateRedisCluster> {
  const { supervisor, directory, stop } = createPrivateFolder('redis');
  try {
    const place = {
      supervisor,
      binary: (await provide(quiet)).redis,
      directory,
      password: PASSWORD,
    };
    const urls = await startRedisCluster({ ...place, ports: await freePorts() });
    if (options.replicas === true) urls.push(...(await addReplicas(urls, place)));
    return {
      urls,
      hold: (node) => supervisor.hold(node),
      release: (node) => supervisor.release(node),
      kill: (node, signal) => supervisor.kill(node, signal),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a replica of each node and waits until all are in sync. */
async function addReplicas(
  urls: readonly string[],
  place: { supervisor: Supervisor; binary: string; directory: string; password: string },
): Promise<string[]> {
  const ports = await freePorts();
  const places = [
    { name: 'redis-4', port: ports.redis, peersPort: ports.redisPeers },
    { name: 'redis-5', port: ports.redis2, peersPort: ports.redis2Peers },
    { name: 'redis-6', port: ports.redis3, peersPort: ports.redis3Peers },
  ];
  const made = places.map((one) => redis({ ...place, port: one.port }, one));
  for (const { server } of made) await place.supervisor.start(server);
  const replicas = places.map((one, index) => ({ ...one, url: made[index]?.url ?? '' }));
  await makeReplicas({ masters: urls, replicas, password: place.password, host: '127.0.0.1' });
  return made.map(({ url }) => url);
}
