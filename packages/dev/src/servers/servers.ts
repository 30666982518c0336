import { allEnded, type Supervisor } from '../processes/supervisor.ts';
import type { Binaries } from '../install/binaries.ts';
import { mailbox } from './mailbox.ts';
import type { Ports } from './ports.ts';
import { postgres } from './postgres.ts';
import type { Progress } from '../command.ts';
import { rabbitmq } from './rabbitmq.ts';
import { redis } from './redis.ts';
import { startRedisCluster } from './redis-cluster.ts';

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
  /** The address of the mail inbox, if it is not that of this machine alone. */
  bindAddress?: string;
  /** Of Postgres: see `postgres`. */
  authentication?: 'md5';
  /** Of RabbitMQ, besides the usual one. */
  virtualHosts?: readonly string[];
}

/** Returns its URL for a superuser. */
export function startPostgres(options: ServersOptions): Promise<string> {
  const { supervisor, progress, binaries, directory, ports, passwords, throwAway, authentication } = options;
  return progress.step('start Postgres', async () => {
    const made = await postgres({
      binaries: binaries.postgres,
      directory,
      port: ports.postgres,
      password: passwords.postgres,
      throwAway,
      authentication,
    });
    await supervisor.start(made.server);
    return made.url;
  });
}

/** Returns its URL without a virtual host. */
export function startRabbitmq(options: ServersOptions): Promise<string> {
  const { supervisor, progress, binaries, directory, ports, passwords, virtualHosts } = options;
  return progress.step('start RabbitMQ', async () => {
    const [binary, password] = [binaries.rabbitmq, passwords.rabbitmq];
    const made = rabbitmq({ binary, directory, ports, password, virtualHosts });
    await supervisor.start(made.server);
    return made.url;
  });
}

/** Starts all servers except Postgres. */
export async function startOtherServers(options: ServersOptions): Promise<Omit<Servers, 'postgresUrl'>> {
  const { supervisor, progress, binaries, directory, ports, passwords } = options;
  const memory = startRedis({ ...options, binary: binaries.redis, password: passwords.redis });
  const inbox = progress.step('start the mail inbox', async () => {
    const { server, ...urls } = mailbox({ directory, ports, bindAddress: options.bindAddress });
    await supervisor.start(server);
    return urls;
  });
  const [caches, amqpUrl, mail] = await allEnded([memory, startRabbitmq(options), inbox]);
  return { ...caches, amqpUrl, ...mail };
}

/** Starts one Redis, or a cluster of three nodes. */
export function startRedis(options: {
  supervisor: Supervisor;
  progress: Progress;
  binary: string;
  directory: string;
  ports: Ports;
  password: string;
  redisCluster?: boolean;
}): Promise<Pick<Servers, 'redisUrl' | 'redisNodes'>> {
  const { supervisor, progress, ports } = options;
  if (options.redisCluster === true) {
    return progress.step('start a Redis cluster', async () => {
      const redisNodes = await startRedisCluster(options);
      return { redisUrl: redisNodes[0] ?? '', redisNodes };
    });
  }
  return progress.step('start Redis', async () => {
    const made = redis({ ...options, port: ports.redis });
    await supervisor.start(made.server);
    return { redisUrl: made.url };
  });
}
