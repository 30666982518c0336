import type { Progress } from '../command.ts';
import type { Binaries } from '../install/programs.ts';
import type { ManagedProcess, Supervisor } from '../processes/supervisor.ts';
import { PARTS } from '../stack/parts.ts';
import type { Ports } from '../stack/ports.ts';
import { postgres } from './postgres.ts';
import { rabbitmq } from './rabbitmq.ts';
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

export interface ServersOptions {
  supervisor: Supervisor;
  progress: Progress;
  binaries: Binaries;
  /** The folder of their data. */
  directory: string;
  ports: Ports;
  passwords: { postgres: string; redis: string; rabbitmq: string };
  throwAway: boolean;
  redisCluster?: boolean;
}

/** Starts a part, as one step for people, and returns it. */
export function launch<Made extends { server: ManagedProcess }>(
  { supervisor, progress }: Pick<ServersOptions, 'supervisor' | 'progress'>,
  part: keyof typeof PARTS,
  made: Made | Promise<Made>,
): Promise<Made> {
  return progress.step(`start ${PARTS[part].title}`, async () => {
    await supervisor.start((await made).server);
    return made;
  });
}

/** Returns its URL for a superuser. `authentication`: see `postgres`. */
export async function startPostgres(options: ServersOptions, authentication?: 'md5'): Promise<string> {
  const { binaries, ports, passwords, directory, throwAway } = options;
  const own = { binaries: binaries.postgres, port: ports.postgres, password: passwords.postgres };
  const made = postgres({ ...own, directory, throwAway, authentication });
  return (await launch(options, 'postgres', made)).url;
}

/** Its URL is known before it runs, which takes longer than anything else. `virtualHosts` are added to the usual one. */
export function startRabbitmq(options: ServersOptions, virtualHosts?: readonly string[]) {
  const { binaries, ports, passwords, directory } = options;
  const own = { binary: binaries.rabbitmq, ports, password: passwords.rabbitmq };
  const made = rabbitmq({ ...own, directory, virtualHosts });
  return { url: made.url, running: launch(options, 'rabbitmq', made) };
}

/** Starts one Redis, or a cluster of three nodes. */
export async function startRedis(options: ServersOptions): Promise<Pick<Servers, 'redisUrl' | 'redisNodes'>> {
  const { binaries, ports, passwords, directory, supervisor } = options;
  const own = { binary: binaries.redis, directory, password: passwords.redis };
  if (options.redisCluster !== true) {
    const { url } = await launch(options, 'redis', redis({ ...own, port: ports.redis }));
    return { redisUrl: url };
  }
  const redisNodes = await options.progress.step(`start ${PARTS.redisCluster.title}`, () =>
    startRedisCluster({ ...own, supervisor, ports }),
  );
  return { redisUrl: redisNodes[0] ?? '', redisNodes };
}
