import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnvironment, type Part } from './part.ts';
import { makeFolder } from './place.ts';
import { answersRedis } from './probes.ts';
import { give, userFor } from './users.ts';

/**
 * A private Redis. It keeps nothing on disk, as all that it holds can be made again from Postgres, and refuses
 * to evict, as a session that it silently forgot would cost a read of Postgres on every request.
 */
export function redis(options: { binary: string; directory: string; port: number; password: string }): {
  part: Part;
  url: string;
} {
  const { binary, directory, port, password } = options;
  const user = userFor(['redis', 'nobody']);
  const home = makeFolder(join(directory, 'redis'), 0o700, user);
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
  ];
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  give(config, user);
  const part: Part = {
    name: 'redis',
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
  return { part, url: `redis://:${password}@127.0.0.1:${port}` };
}
