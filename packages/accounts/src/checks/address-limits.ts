import { createFailureCounters, SUBJECTS_MANY, type FailureCounters } from '@gatehouse/auth-core';
import type { openRedis } from '@gatehouse/redis';
import { Counter, type Log, type Metrics } from '@gatehouse/runtime';

const FAILURES_MAX = 100;
const WINDOW_SECONDS = 15 * 60;

/** What an address may do besides failing: name in Redis, in metrics, how often (null: as set), in how many seconds. */
const LIMITS = {
  /** Wrong secrets of OAuth clients, too long to guess; apart from logins, as people may share their network. */
  clientFailures: ['o', 'clients', 100, WINDOW_SECONDS],
  /** Sign-ons that returned from a provider and failed: each requires a call to the provider. */
  signOns: ['s', 'sign-ons', 100, WINDOW_SECONDS],
  mailsAskedFor: ['m', 'mails', null, 3600],
  /** Challenges for logins with a passkey, requested without a login: each is a row in Postgres for five minutes. */
  passkeyChallenges: ['p', 'challenges', 20, 60],
  /** By account, each a row in Postgres: an application may renew its sign-in in the background of each tab. */
  authorizations: ['a', 'authorizations', 120, 60],
  /** Sign-ins that devices begin. A hall full of new screens has one address. */
  deviceStarts: ['d', 'device-starts', 60, 600],
  /** Codes of devices that are typed and wrong, by account and by address. */
  deviceCodes: ['c', 'device-codes', 5, 600],
  /** Documents of applications that are to be fetched: each is a call of somebody else's server. */
  clientDocuments: ['w', 'documents', 10, 60],
  /** Exports requested by owners, by account: each reads all its stored data. */
  exports: ['x', 'exports', 10, 3600],
} as const;

export type AddressLimits = Record<'failures' | keyof typeof LIMITS, FailureCounters>;

/** Either one client tries the passwords of many accounts, or many clients seem to have one address. */
const FAILING_FOR_MANY =
  'failed logins for many accounts from one IP address: check TRUST_PROXY, or block the address';

/** Limits failures, and `LIMITS`. They are counted in Redis, or by each process for itself while Redis is down. */
export function createAddressLimits(options: {
  redis: ReturnType<typeof openRedis>;
  mailsPerAddress: number;
  log: Log;
  metrics: Metrics;
}): AddressLimits {
  const { redis, mailsPerAddress, log, metrics } = options;
  const onLocal = createLocalCounts(metrics);
  const failingForMany = new Counter({
    name: 'gatehouse_addresses_failing_for_many_total',
    help: `Addresses that failed for ${SUBJECTS_MANY} accounts within a quarter of an hour`,
    registers: [metrics],
  });
  const failures = createFailureCounters({
    ...{ name: 'f', redis, log, onLocal: onLocal('failures') },
    failuresMax: FAILURES_MAX,
    windowSeconds: WINDOW_SECONDS,
    onManySubjects: (address) => {
      failingForMany.inc();
      log.warn(FAILING_FOR_MANY, { address });
    },
  });
  const others = Object.entries(LIMITS).map(([limit, [name, local, max, windowSeconds]]) => {
    const bounds = { failuresMax: max ?? mailsPerAddress, windowSeconds };
    return [limit, createFailureCounters({ name, redis, log, onLocal: onLocal(local), ...bounds })];
  });
  // The names are those of the table, which TypeScript does not see.
  return { failures, ...(Object.fromEntries(others) as Omit<AddressLimits, 'failures'>) };
}

/** Counts, for each counter, the attempts that only this process counts because Redis is down. */
function createLocalCounts(metrics: Metrics): (counter: string) => () => void {
  const countedLocally = new Counter({
    name: 'gatehouse_failures_counted_locally_total',
    help: 'Attempts that this process counted for itself alone, with a quarter of the bound, for lack of Redis',
    labelNames: ['counter'],
    registers: [metrics],
  });
  return (counter) => {
    // Start at 0: Prometheus does not see an increase of a counter that had no value before.
    countedLocally.inc({ counter }, 0);
    return () => countedLocally.inc({ counter });
  };
}
