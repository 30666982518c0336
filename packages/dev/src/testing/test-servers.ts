import { join } from 'node:path';
import { describeFailure } from '../command.ts';
import { allEnded } from '../processes/supervisor.ts';
import { makeFolder, type Place } from '../servers/home.ts';
import { mailbox } from '../servers/mailbox.ts';
import { postgres } from '../servers/postgres.ts';
import { rabbitmq } from '../servers/rabbitmq.ts';
import { redis } from '../servers/redis.ts';
import { launch, type Launcher, type Servers } from '../servers/servers.ts';
import { freePorts } from '../stack/ports.ts';
import { startStack } from '../stack/start-stack.ts';

type Options = Omit<Place, 'ports' | 'throwAway'> & Launcher;

/**
 * Throw-away servers for test runs. All workers share one Postgres, where each test file creates its own database, and
 * one RabbitMQ, where each worker has a virtual host. Each worker has its own Redis and mail inbox.
 */
export async function startTestServers(workers: number, options: Options): Promise<Servers[]> {
  const names = Array.from({ length: workers }, (_, index) => `worker-${index}`);
  const place = { ...options, ports: await freePorts(), throwAway: true };
  const [database, broker, own] = await allEnded([
    // Tests open thousands of connections. Systems with their own servers use SCRAM.
    launch(place, 'postgres', postgres(place, { authentication: 'md5' })),
    launch(place, 'rabbitmq', rabbitmq(place, { virtualHosts: names })),
    allEnded(names.map((name) => startOwn(options, name))),
  ]);
  return own.map((urls, index) => ({
    postgresUrl: database.url,
    amqpUrl: `${broker.url}/${names[index]}`,
    ...urls,
  }));
}

/** Starts the servers that only this worker uses. */
async function startOwn(options: Options, name: string) {
  const { supervisor, progress } = options;
  const ports = await freePorts();
  const place = { ...options, directory: makeFolder(join(options.directory, name), 0o711) };
  const cache = redis(place, { name: 'redis', port: ports.redis });
  const inbox = mailbox({ ...place, ports });
  await progress.step(`start Redis and the mail inbox of ${name}`, () =>
    allEnded(
      [cache.server, inbox.server].map((server) =>
        supervisor.start({ ...server, name: `${server.name}-${name}` }),
      ),
    ),
  );
  return { redisUrl: cache.url, smtpUrl: inbox.smtpUrl, mailUrl: inbox.mailUrl };
}

export function testEnvironment(servers: Servers): NodeJS.ProcessEnv {
  return {
    TEST_POSTGRES_URL: servers.postgresUrl,
    TEST_REDIS_URL: servers.redisUrl,
    TEST_AMQP_URL: servers.amqpUrl,
    TEST_SMTP_URL: servers.smtpUrl,
    TEST_MAIL_URL: servers.mailUrl,
  };
}

/** The prefix of the systems' folders within the folder of the test run. */
export const SITE = 'site-';

/**
 * Starts a whole system for browser tests on each of these servers. All browser test files of a worker use the same one,
 * because most of them take less time than starting a system.
 */
export async function startTestSites(options: {
  servers: readonly Servers[];
  /** The folder of the test run. */
  directory: string;
  signal: AbortSignal;
}) {
  const { servers, directory, signal } = options;
  const folders = servers.map((_, index) => join(directory, `${SITE}${index}`));
  const starts = servers.map(async (given, index) =>
    startStack({
      directory: folders[index] ?? '',
      ports: await freePorts(),
      settings: { PATH: process.env['PATH'], BCRYPT_COST: '4' },
      servers: given,
      throwAway: true,
      signal,
    }),
  );
  /** Their servers are temporary, so a system that does not stop properly fails no test. */
  const stop = async (): Promise<void> => {
    const sites = (await Promise.allSettled(starts)).filter((start) => start.status === 'fulfilled');
    for (const end of await Promise.allSettled(sites.map(({ value }) => value.stop())))
      if (end.status === 'rejected')
        process.stderr.write(`! A system did not stop: ${describeFailure(end.reason)}\n`);
  };
  try {
    await allEnded(starts);
  } catch (error) {
    await stop();
    throw error;
  }
  return { environments: folders.map((folder) => ({ TEST_STACK_FILE: join(folder, 'stack.json') })), stop };
}
