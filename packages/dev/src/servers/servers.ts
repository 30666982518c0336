import type { Progress } from '../command.ts';
import type { Binaries } from '../install/programs.ts';
import { allEnded, type ManagedProcess, type Supervisor } from '../processes/supervisor.ts';
import { PARTS } from '../stack/parts.ts';
import type { Ports } from '../stack/ports.ts';
import { mailbox } from './mailbox.ts';
import { postgres } from './postgres.ts';
import { rabbitmq } from './rabbitmq.ts';
import { redis, startRedisCluster } from './redis.ts';

/** The URLs of the servers that the services need. */
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

/** Where and how servers are started. */
export interface ServersOptions extends Launcher {
  binaries: Binaries;
  /** The folder of their data. */
  directory: string;
  ports: Ports;
  passwords: { postgres: string; redis: string; rabbitmq: string };
  throwAway: boolean;
  redisCluster?: boolean;
  /** The address of the mail inbox, if it is not that of this machine alone. */
  bindAddress?: string;
  /** Of Postgres: see `postgres`. */
  authentication?: 'md5';
  /** Of RabbitMQ, besides the usual one. */
  virtualHosts?: readonly string[];
}

interface Launcher {
  supervisor: Supervisor;
  progress: Progress;
}

/** Starts a part, as one step for people. */
export function launch<T extends { server: ManagedProcess }>(
  { supervisor, progress }: Launcher,
  part: keyof typeof PARTS,
  make: () => T | Promise<T>,
): Promise<T> {
  return progress.step(`start ${PARTS[part].title}`, async () => {
    const made = await make();
    await supervisor.start(made.server);
    return made;
  });
}

/** Returns its URL for a superuser. */
export async function startPostgres(options: ServersOptions): Promise<string> {
  const { binaries, ports, passwords, directory, throwAway, authentication } = options;
  const own = { binaries: binaries.postgres, port: ports.postgres, password: passwords.postgres };
  const make = () => postgres({ ...own, directory, throwAway, authentication });
  return (await launch(options, 'postgres', make)).url;
}

/** Returns its URL without a virtual host. */
export async function startRabbitmq(options: ServersOptions): Promise<string> {
  const { binaries, ports, passwords, directory, virtualHosts } = options;
  const own = { binary: binaries.rabbitmq, ports, password: passwords.rabbitmq };
  return (await launch(options, 'rabbitmq', () => rabbitmq({ ...own, directory, virtualHosts }))).url;
}

/** Starts one Redis, or a cluster of three nodes. */
export async function startRedis(options: ServersOptions): Promise<Pick<Servers, 'redisUrl' | 'redisNodes'>> {
  const { supervisor, progress, binaries, directory, ports, passwords } = options;
  const own = { binary: binaries.redis, directory, password: passwords.redis };
  if (options.redisCluster !== true) {
    return { redisUrl: (await launch(options, 'redis', () => redis({ ...own, port: ports.redis }))).url };
  }
  const redisNodes = await progress.step(`start ${PARTS.redisCluster.title}`, () =>
    startRedisCluster({ ...own, supervisor, ports }),
  );
  return { redisUrl: redisNodes[0] ?? '', redisNodes };
}

/** Starts all servers except Postgres. */
export async function startOtherServers(options: ServersOptions): Promise<Omit<Servers, 'postgresUrl'>> {
  const [caches, amqpUrl, { smtpUrl, mailUrl }] = await allEnded([
    startRedis(options),
    startRabbitmq(options),
    launch(options, 'mail', () => mailbox(options)),
  ]);
  return { ...caches, amqpUrl, smtpUrl, mailUrl };
}
