import { join } from 'node:path';
import { freePorts } from '../servers/ports.ts';
import { startStack, type Stack } from '../stack/start-stack.ts';
import type { TestServers } from './test-servers.ts';

/** The prefix of the systems' folders within the folder of the test run. */
export const SITE = 'site-';

/**
 * Starts a whole system on each of these servers. All browser test files of a worker use the same one, because most of
 * them take less time than starting a system.
 */
export async function startTestSites(
  servers: readonly TestServers[],
  directory: string,
  signal: AbortSignal,
): Promise<Stack[]> {
  const starts = servers.map(async (given, index) =>
    startStack({
      directory: join(directory, `${SITE}${index}`),
      ports: await freePorts(),
      settings: { PATH: process.env['PATH'], BCRYPT_COST: '4' },
      servers: {
        postgresUrl: given.TEST_POSTGRES_URL,
        redisUrl: given.TEST_REDIS_URL,
        amqpUrl: given.TEST_AMQP_URL,
        smtpUrl: given.TEST_SMTP_URL,
        mailUrl: given.TEST_MAIL_URL,
      },
      throwAway: true,
      signal,
    }),
  );
  const ends = await Promise.allSettled(starts);
  const started = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed === undefined) return started;
  await Promise.all(started.map((site) => site.stop()));
  throw failed.reason;
}
