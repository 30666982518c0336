import type { Progress } from '../command.ts';
import type { ManagedProcess, Supervisor } from '../processes/supervisor.ts';
import { PARTS } from '../stack/parts.ts';
import type { Place } from './home.ts';
import { redis, startRedisCluster } from './redis.ts';

export interface Servers {
  /** The URL for a superuser. */
  postgresUrl: string;
  redisUrl: string;
  /** The URLs of all nodes if it is a cluster; `redisUrl` is the first. */
  redisNodes?: string[];
  amqpUrl: string;
  smtpUrl: string;
  /** The URL of the mail inbox, for people and for its REST API. */
  mailUrl: string;
}

/** What starts them, and tells people of it. */
export interface Launcher {
  supervisor: Supervisor;
  progress: Progress;
}

/** Starts a part, as one step for people, and returns it. */
export function launch<Made extends { server: ManagedProcess }>(
  { supervisor, progress }: Launcher,
  part: keyof typeof PARTS,
  made: Made | Promise<Made>,
): Promise<Made> {
  return progress.step(`start ${PARTS[part].title}`, async () => {
    await supervisor.start((await made).server);
    return made;
  });
}

export async function startRedis(
  options: Place & Launcher,
  isCluster: boolean,
): Promise<Pick<Servers, 'redisUrl' | 'redisNodes'>> {
  if (!isCluster) {
    const made = redis(options, { name: 'redis', port: options.ports.redis });
    return { redisUrl: (await launch(options, 'redis', made)).url };
  }
  const redisNodes = await options.progress.step(`start ${PARTS.redisCluster.title}`, () =>
    startRedisCluster(options, options.supervisor),
  );
  return { redisUrl: redisNodes[0] ?? '', redisNodes };
}
