import { join } from 'node:path';
import { freePorts } from '../stack/ports.ts';
import { type Progress, describeFailure } from '../command.ts';
import { startStack, type Stack } from '../stack/start-stack.ts';
import type { TestServers } from './test-servers.ts';

/** The prefix of the systems' folders within the folder of the test run. */
export const SITE = 'site-';

interface Options {
  /** The servers of each system. */
  servers: readonly TestServers[];
  /** The folder of the test run. */
  directory: string;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Whole systems for browser tests, one per worker. All browser test files of a worker use the same one, because most of
 * them take less time than starting a system.
 */
export function createTestSites(options: Options) {
  const { servers, directory, progress } = options;
  let sites: Stack[] | undefined;
  return {
    /** Starts them unless they run, and returns the environment of each worker's tests. */
    async open(): Promise<NodeJS.ProcessEnv[]> {
      sites ??= await progress.step('start a system for each worker', () => startAll(options));
      return servers.map((_, index) => ({
        TEST_STACK_FILE: join(directory, `${SITE}${index}`, 'stack.json'),
      }));
    },
    /** Stops them if they run. Their servers are temporary, so a system that does not stop properly fails no test. */
    async close(): Promise<void> {
      const open = sites ?? [];
      sites = undefined;
      for (const end of await Promise.allSettled(open.map((site) => site.stop())))
        if (end.status === 'rejected')
          process.stderr.write(`! A system did not stop: ${describeFailure(end.reason)}\n`);
    },
  };
}

async function startAll({ servers, directory, signal }: Options): Promise<Stack[]> {
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
