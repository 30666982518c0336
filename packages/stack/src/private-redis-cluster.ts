import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder, removeFolder } from './place.ts';
import { freePorts } from './ports.ts';
import { quiet } from './progress.ts';
import { provide } from './provide.ts';
import { startRedisCluster } from './redis-cluster.ts';
import { Supervisor } from './supervisor.ts';

/** A Redis Cluster alone, which a test may harm. */
export interface PrivateRedisCluster {
  /** Of `redis`, `redis-2` and `redis-3`, in this order. */
  urls: string[];
  /** Ends a node at once and leaves it so until `release`. */
  hold(node: string): Promise<void>;
  /** Starts a held node, which has lost everything. */
  release(node: string): Promise<void>;
  kill(node: string, signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts one on ports that are free. */
export async function privateRedisCluster(): Promise<PrivateRedisCluster> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-test-redis-'));
  const supervisor = new Supervisor({
    records: join(directory, 'run'),
    logs: join(directory, 'logs'),
    say: quiet.line,
    changed: () => {},
  });
  const stop = async (): Promise<void> => {
    await supervisor.stop({ abrupt: true });
    removeFolder(directory);
  };
  try {
    const urls = await startRedisCluster({
      supervisor,
      binary: (await provide(quiet)).redis,
      directory: dataFolder(directory),
      ports: await freePorts(),
      password: 'for-tests-alone',
    });
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
