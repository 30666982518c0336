import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnvironment, makeFolder, chownTo, userFor } from './home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { answersRedis } from '../processes/probes.ts';

interface RedisOptions {
  binary: string;
  directory: string;
  port: number;
  password: string;
}

/**
 * A private Redis. It stores nothing on disk, because all its data can be restored from Postgres. It refuses to evict,
 * because each evicted session would cost a read of Postgres on every request.
 */
export function redis(
  options: RedisOptions,
  /** For a node of a cluster: its name, its port for the other nodes, and additional configuration. */
  cluster?: { name: string; peersPort: number; lines?: readonly string[] },
): { server: ManagedProcess; url: string } {
  const { binary, directory, port, password } = options;
  const name = cluster?.name ?? 'redis';
  const user = userFor(['redis', 'valkey', 'nobody']);
  const home = makeFolder(join(directory, name), 0o700, user);
  const config = join(home, 'redis.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    'save ""',
    'appendonly no',
    'maxmemory-policy noeviction',
    'daemonize no',
    `dir ${JSON.stringify(home)}`,
    // In the file, because the process list shows arguments to all users.
    `requirepass ${password}`,
    ...(cluster === undefined ? [] : [...clusterLines(cluster.peersPort), ...(cluster.lines ?? [])]),
  ];
  // Removes the cluster state of an earlier start, because the cluster is formed again. A node that is restarted after
  // a crash keeps its state.
  rmSync(join(home, NODES_FILE), { force: true });
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  chownTo(config, user);
  const server: ManagedProcess = {
    name,
    command: binary,
    args: [config],
    env: serverEnvironment(home),
    cwd: home,
    user,
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
