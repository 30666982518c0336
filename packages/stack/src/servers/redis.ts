import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnvironment, type ManagedProcess } from '../processes/managed-process.ts';
import { makeFolder } from '../stack/data-directory.ts';
import { answersRedis } from '../processes/probes.ts';
import { chownTo, userFor } from '../processes/users.ts';

interface RedisOptions {
  binary: string;
  directory: string;
  port: number;
  password: string;
}

/**
 * A private Redis. It keeps nothing on disk, as all that it holds can be made again from Postgres, and refuses
 * to evict, as a session that it silently forgot would cost a read of Postgres on every request.
 */
export function redis(
  options: RedisOptions,
  /** As which node of a cluster, on which port it talks with the others, and what else its configuration says. */
  cluster?: { name: string; peersPort: number; lines?: readonly string[] },
): { server: ManagedProcess; url: string } {
  const { binary, directory, port, password } = options;
  const name = cluster?.name ?? 'redis';
  const user = userFor(['redis', 'nobody']);
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
    // In the file, as the process list shows arguments to everybody.
    `requirepass ${password}`,
    ...(cluster === undefined ? [] : [...clusterLines(cluster.peersPort), ...(cluster.lines ?? [])]),
  ];
  // What an earlier start knew of the cluster: it is formed again. A node that dies and is started again keeps it.
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
    readySeconds: 30,
    stopSignal: 'SIGTERM',
    abortSignal: 'SIGKILL',
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
    // A node that is gone leaves the others at work.
    'cluster-require-full-coverage no',
  ];
}
