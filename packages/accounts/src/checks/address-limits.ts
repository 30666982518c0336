import { createFailureCounters, SUBJECTS_MANY } from '@gatehouse/auth-core';
import type { openRedis } from '@gatehouse/redis';
import { Counter, type Log, type Metrics } from '@gatehouse/runtime';

const ADDRESS_FAILURES_MAX = 100;
const ADDRESS_WINDOW_SECONDS = 15 * 60;
/** Each challenge is a row in Postgres for five minutes. */
const CHALLENGES_MAX = 20;
const CHALLENGES_WINDOW_SECONDS = 60;
/** Per account: each export reads all its stored data. */
const EXPORTS_MAX = 10;
const EXPORTS_WINDOW_SECONDS = 3600;
/** Each sign-on requires a call to the identity provider. */
const SIGN_ONS_MAX = 100;
const SIGN_ONS_WINDOW_SECONDS = 15 * 60;
/** Per account: each is a row in Postgres. An application may renew its sign-in in the background of each tab. */
const AUTHORIZATIONS_MAX = 120;
const AUTHORIZATIONS_WINDOW_SECONDS = 60;
/** A hall full of new screens has one address. */
const DEVICE_STARTS_MAX = 60;
const DEVICE_CODES_MAX = 5;
const DEVICE_WINDOW_SECONDS = 600;
/** Per address: each is a call of somebody else's server. */
const DOCUMENTS_MAX = 10;
const DOCUMENTS_WINDOW_SECONDS = 60;
/** Client secrets are too long to guess; this bounds what a program with a wrong one costs. */
const CLIENT_FAILURES_MAX = 100;
/** Either one client tries the passwords of many accounts, or many clients seem to have one address. */
const FAILING_FOR_MANY =
  'failed logins for many accounts from one IP address: check TRUST_PROXY, or block the address';

/**
 * Limits the failures, failed sign-ons, requested mails, challenges, documents and devices of an IP address, and the
 * exports, codes for applications and wrong codes of devices of an account. They are counted in Redis, or by each process
 * for itself while Redis is down.
 */
export function createAddressLimits(options: {
  redis: ReturnType<typeof openRedis>;
  mailsPerAddress: number;
  log: Log;
  metrics: Metrics;
}) {
  const { redis, log, metrics } = options;
  const onLocal = createLocalCounts(metrics);
  const failingForMany = new Counter({
    name: 'gatehouse_addresses_failing_for_many_total',
    help: `Addresses that failed for ${SUBJECTS_MANY} accounts within a quarter of an hour`,
    registers: [metrics],
  });
  const counters = (name: string, local: string, failuresMax: number, windowSeconds: number) =>
    createFailureCounters({ name, redis, failuresMax, windowSeconds, log, onLocal: onLocal(local) });
  return {
    failures: createFailureCounters({
      name: 'f',
      redis,
      failuresMax: ADDRESS_FAILURES_MAX,
      windowSeconds: ADDRESS_WINDOW_SECONDS,
      log,
      onLocal: onLocal('failures'),
      onManySubjects: (address) => {
        failingForMany.inc();
        log.warn(FAILING_FOR_MANY, { address });
      },
    }),
    clientFailures: counters('o', 'clients', CLIENT_FAILURES_MAX, ADDRESS_WINDOW_SECONDS),
    signOns: counters('s', 'sign-ons', SIGN_ONS_MAX, SIGN_ONS_WINDOW_SECONDS),
    mailsAskedFor: counters('m', 'mails', options.mailsPerAddress, 3600),
    passkeyChallenges: counters('p', 'challenges', CHALLENGES_MAX, CHALLENGES_WINDOW_SECONDS),
    authorizations: counters('a', 'authorizations', AUTHORIZATIONS_MAX, AUTHORIZATIONS_WINDOW_SECONDS),
    deviceStarts: counters('d', 'device-starts', DEVICE_STARTS_MAX, DEVICE_WINDOW_SECONDS),
    deviceCodes: counters('c', 'device-codes', DEVICE_CODES_MAX, DEVICE_WINDOW_SECONDS),
    clientDocuments: counters('w', 'documents', DOCUMENTS_MAX, DOCUMENTS_WINDOW_SECONDS),
    exports: counters('x', 'exports', EXPORTS_MAX, EXPORTS_WINDOW_SECONDS),
  };
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
