import type { Binaries } from './binaries.ts';
import { mailbox } from './mailbox.ts';
import type { Ports } from './ports.ts';
import { postgres } from './postgres.ts';
import type { Progress } from './progress.ts';
import { rabbitmq } from './rabbitmq.ts';
import { redis } from './redis.ts';
import type { Supervisor } from './supervisor.ts';

/** Where the servers listen that the services need. */
export interface Servers {
  /** As a superuser. */
  postgresUrl: string;
  redisUrl: string;
  amqpUrl: string;
  smtpUrl: string;
  /** The mail inbox, for people and as REST. */
  mailUrl: string;
}

/** Starts private servers, all at once, with their data below `directory`. */
export async function startServers(options: {
  supervisor: Supervisor;
  progress: Progress;
  binaries: Binaries;
  directory: string;
  ports: Ports;
  passwords: { postgres: string; redis: string; rabbitmq: string };
  throwAway: boolean;
}): Promise<Servers> {
  const { supervisor, progress, binaries, directory, ports, passwords, throwAway } = options;
  const database = progress.step('start Postgres', async () => {
    const made = await postgres({
      binaries: binaries.postgres,
      directory,
      port: ports.postgres,
      password: passwords.postgres,
      throwAway,
    });
    await supervisor.start(made.part);
    return made.url;
  });
  const memory = progress.step('start Redis', async () => {
    const made = redis({ binary: binaries.redis, directory, port: ports.redis, password: passwords.redis });
    await supervisor.start(made.part);
    return made.url;
  });
  const broker = progress.step('start RabbitMQ', async () => {
    const made = rabbitmq({ binary: binaries.rabbitmq, directory, ports, password: passwords.rabbitmq });
    await supervisor.start(made.part);
    return made.url;
  });
  const inbox = progress.step('start the mail inbox', async () => {
    const made = mailbox({ directory, ports });
    await supervisor.start(made.part);
    return made;
  });
  // Every start ends before the first failure is told: whoever stops all must know of all.
  await Promise.allSettled([database, memory, broker, inbox]);
  const { smtpUrl, mailUrl } = await inbox;
  return { postgresUrl: await database, redisUrl: await memory, amqpUrl: await broker, smtpUrl, mailUrl };
}
