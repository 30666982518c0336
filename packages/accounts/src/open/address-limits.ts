import { createFailureCounters, SUBJECTS_MANY, type FailureCounters } from '@gatehouse/auth-core';
import { Counter, type Log, type Metrics } from '@gatehouse/runtime';
import type { openRedis } from '@gatehouse/session-cache';

const ADDRESS_FAILURES_MAX = 100;
const ADDRESS_WINDOW_SECONDS = 15 * 60;
/** Each is a row in Postgres for five minutes. */
const CHALLENGES_MAX = 20;
const CHALLENGES_WINDOW_SECONDS = 60;
/** Either one client tries the passwords of many, or many clients look like one. */
const FAILING_FOR_MANY =
  'failed logins for many accounts from one IP address: check TRUST_PROXY, or block the address';

/**
 * Limits on the failures, the mails and the challenges of an IP address, counted in Redis, or by each process for itself while Redis
 * is down.
 */
export function createAddressLimits(options: {
  redis: ReturnType<typeof openRedis>;
  mailsPerAddress: number;
  log: Log;
  metrics: Metrics;
}): { failures: FailureCounters; mailsAskedFor: FailureCounters; passkeyChallenges: FailureCounters } {
  const { redis, log, metrics } = options;
  const countedLocally = new Counter({
    name: 'gatehouse_failures_counted_locally_total',
    help: 'Attempts that this process counted for itself alone, with a quarter of the bound, for lack of Redis',
    labelNames: ['counter'],
    registers: [metrics],
  });
  const failingForMany = new Counter({
    name: 'gatehouse_addresses_failing_for_many_total',
    help: `Addresses that failed for ${SUBJECTS_MANY} accounts within a quarter of an hour`,
    registers: [metrics],
  });
  return {
    failures: createFailureCounters({
      name: 'f',
      redis,
      failuresMax: ADDRESS_FAILURES_MAX,
      windowSeconds: ADDRESS_WINDOW_SECONDS,
      log,
      onLocal: () => countedLocally.inc({ counter: 'failures' }),
      onManySubjects: (address) => {
        failingForMany.inc();
        log.warn(FAILING_FOR_MANY, { address });
      },
    }),
    mailsAskedFor: createFailureCounters({
      name: 'm',
      redis,
      failuresMax: options.mailsPerAddress,
      windowSeconds: 3600,
      log,
      onLocal: () => countedLocally.inc({ counter: 'mails' }),
    }),
    passkeyChallenges: createFailureCounters({
      name: 'p',
      redis,
      failuresMax: CHALLENGES_MAX,
      windowSeconds: CHALLENGES_WINDOW_SECONDS,
      log,
      onLocal: () => countedLocally.inc({ counter: 'challenges' }),
    }),
  };
}
