import { join } from 'node:path';
import { allEnded } from '../processes/supervisor.ts';
import { mailbox } from '../servers/mailbox.ts';
import { makeFolder } from '../servers/home.ts';
import { freePorts } from '../stack/ports.ts';
import { redis } from '../servers/redis.ts';
import { startPostgres, startRabbitmq, type ServersOptions } from '../servers/servers.ts';

/** The environment of a process that runs test files. */
export interface TestServers {
  TEST_POSTGRES_URL: string;
  TEST_REDIS_URL: string;
  TEST_AMQP_URL: string;
  TEST_SMTP_URL: string;
  TEST_MAIL_URL: string;
}

interface Options extends Omit<ServersOptions, 'ports' | 'throwAway'> {
  /** How many processes run test files at the same time. */
  workers: number;
}

/**
 * Throw-away servers for test runs. All workers share one Postgres, where each test file creates its own database, and
 * one RabbitMQ, where each worker has a virtual host. Each worker has its own Redis and mail inbox.
 */
export async function startTestServers(options: Options): Promise<TestServers[]> {
  const names = Array.from({ length: options.workers }, (_, index) => `worker-${index}`);
  const place = { ...options, ports: await freePorts(), throwAway: true };
  const [postgresUrl, amqpUrl, own] = await allEnded([
    // Tests open thousands of connections. Systems with their own servers use SCRAM.
    startPostgres({ ...place, authentication: 'md5' }),
    startRabbitmq({ ...place, virtualHosts: names }),
    allEnded(names.map(async (name) => ({ name, ...(await startOwn(options, name)) }))),
  ]);
  return own.map(({ name, ...urls }) => ({
    TEST_POSTGRES_URL: postgresUrl,
    TEST_AMQP_URL: `${amqpUrl}/${name}`,
    ...urls,
  }));
}

/** Starts the servers that only this worker uses. */
async function startOwn(options: Options, name: string) {
  const { supervisor, progress, binaries, passwords } = options;
  const ports = await freePorts();
  const directory = makeFolder(join(options.directory, name), 0o711);
  const cache = redis({ binary: binaries.redis, directory, port: ports.redis, password: passwords.redis });
  const inbox = mailbox({ directory, ports });
  await progress.step(`start Redis and the mail inbox of ${name}`, () =>
    allEnded(
      [cache.server, inbox.server].map((server) =>
        supervisor.start({ ...server, name: `${server.name}-${name}` }),
      ),
    ),
  );
  return { TEST_REDIS_URL: cache.url, TEST_SMTP_URL: inbox.smtpUrl, TEST_MAIL_URL: inbox.mailUrl };
}
