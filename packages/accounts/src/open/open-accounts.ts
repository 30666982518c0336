import {
  createAuth,
  createFailureCounters,
  createPasswords,
  createStaticTokens,
  createTokens,
  SUBJECTS_MANY,
} from '@gatehouse/auth-core';
import type { Auth, FailureCounters, Keys, Passkeys, Passwords } from '@gatehouse/auth-core';
import {
  apiTokens,
  clientSessions,
  connectDb,
  createSchemaCheck,
  createWorkWatch,
  measurePool,
  oauthClients,
  query,
  startRelay,
  type Db,
} from '@gatehouse/db';
import { createPublisher, createSeal, type QueueDepth, type Topology } from '@gatehouse/events';
import { Counter, createKeyedMutex, createRecentReads, Unavailable } from '@gatehouse/runtime';
import type { Lifecycle, Log, Metrics, ReadinessChecks, Tracing } from '@gatehouse/runtime';
import { createSessionCache, openRedis, watchEvictions, type Evictions } from '@gatehouse/redis';
import type { AccountsDeps } from '../deps.ts';
import { createExportTurns } from '../erasure/export.ts';
import { isConfirmed } from '../session/confirmation/proves-freshly.ts';
import { endLapsedSession } from '../session/lapsed-sessions.ts';
import { createReplacements, createRotations } from '../session/refresh/rotations.ts';
import { createSessionFeed } from '../session/session-feed.ts';
import { sessionSourceOf } from '../session/session-source.ts';
import { readSessionSlots } from '../session/slots/session-slots.ts';
import { measureHashing, passwordOptions, startJobs } from './jobs.ts';
import { measureSigningKey, openBrowserSessions, openKeys, readTokenKeys, withKeys } from './service-keys.ts';
import type { BrowserUrls } from './service-keys.ts';
import { createSignInRecorder } from '../sign-in/sign-in-recorder.ts';
import { createActivityRecorder } from '../statistics/activity-recorder.ts';
import type { ServiceSettings } from '../settings/key-settings.ts';

/** Everything that a service needs for accounts and sessions. */
export interface OpenAccounts extends AccountsDeps {
  passwords: Passwords;
  auth: Auth;
  keys: Keys;
  /** Whether the service's dependencies other than Postgres can be used: each check throws if not. */
  probes: ReadinessChecks;
  /** The state that the broker and Redis report; each function fails if its server does not answer. */
  readings: { queueDepths: () => Promise<QueueDepth[]>; evictions: () => Promise<Evictions> };
}

interface Options {
  service: string;
  settings: ServiceSettings;
  lifecycle: Lifecycle;
  log: Log;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  /** Separate names on the broker, for tests. */
  topology?: Topology | undefined;
  now?: () => number;
  /** Whether an administrator’s session is read from Postgres for each call. */
  confirmsAdministrators?: boolean;
  /** Checks passkeys (`openPasskeys`), if this service accepts any. */
  passkeys?: Passkeys | undefined;
  /** Already open, and closed by the caller. */
  passwords?: Passwords | undefined;
  /** The addresses of the browsers whose cookies this service accepts; none by default. */
  browserUrls?: BrowserUrls;
}

/**
 * Creates everything that a service needs for accounts and sessions, starts the background work (relay, cached
 * sessions, times of last use, sweeps), and registers what to stop.
 *
 * @throws {ConfigError} for settings that contradict each other, or that this machine cannot fulfil.
 */
export async function openAccounts(options: Options): Promise<OpenAccounts & { readiness: ReadinessChecks }> {
  const { settings, lifecycle, log } = options;
  const slots = readSessionSlots(settings);
  const passwords = options.passwords ?? (await openPasswords(options));
  measureHashing(passwords, options.metrics);
  const { db, redis, publisher } = openConnections(options);
  const keys = openKeys(settings, log);
  lifecycle.onStop(() => keys.close());
  const deps = openDeps(options, { db, redis, publisher, keys, passwords, slots });
  startJobs(deps, lifecycle);

  const auth = createAuth({
    tokens: deps.tokens,
    staticTokens: deps.staticTokens,
    browser: deps.browser,
    sessionCache: deps.sessionCache,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
    confirmsAdministrators: options.confirmsAdministrators ?? false,
    findReplacement: deps.findReplacement,
    isConfirmed: (caller) => isConfirmed(deps.db, caller),
    onLapsed: (reading) => {
      endLapsedSession(deps, reading).catch((error: unknown) => {
        log.warn('failed to record the end of a session', { error });
      });
    },
  });
  const readiness = {
    postgres: () => query(db, 'select 1'),
    schema: createSchemaCheck({ db, log }),
    redis: () => redis.ping(),
  };
  const probes = {
    redis: readiness.redis,
    rabbitmq: async () => {
      if (!publisher.isReady()) throw new Unavailable('rabbitmq');
    },
  };
  const readings = { queueDepths: () => publisher.queueDepths(), evictions: watchEvictions(redis) };
  return { ...deps, passwords, auth, keys, readiness, probes, readings };
}

/**
 * The relay and the session feed, which follow committed changes: this process wakes both after each of its commits.
 */
function openFollowers(
  { lifecycle, log, metrics }: Options,
  { db, publisher }: Pick<ReturnType<typeof openConnections>, 'db' | 'publisher'>,
): Pick<AccountsDeps, 'relay' | 'sessionFeed'> {
  const relay = startRelay({ db, publisher, log, metrics });
  lifecycle.onStop(() => relay.stop());
  const sessionFeed = createSessionFeed({ db, log });
  lifecycle.onStop(() => sessionFeed.stop());
  const wake = (): void => {
    relay.wake();
    sessionFeed.wake();
  };
  return { relay: { ...relay, wake }, sessionFeed };
}

async function openPasswords({ settings, lifecycle, log, tracing }: Options): Promise<Passwords> {
  const passwords = createPasswords({ ...passwordOptions(settings), log, tracing });
  lifecycle.onStop(() => passwords.close());
  await passwords.prepare();
  return passwords;
}

function openDeps(
  options: Options,
  {
    db,
    redis,
    publisher,
    keys,
    passwords,
    slots,
  }: ReturnType<typeof openConnections> & Pick<OpenAccounts, 'keys' | 'passwords' | 'slots'>,
): AccountsDeps {
  const { settings, lifecycle, log, metrics, tracing } = options;
  measureSigningKey(keys, metrics);
  measurePool(db, metrics);
  const tokenKeys = readTokenKeys(settings);
  const sessionCache = createSessionCache({
    redis,
    source: sessionSourceOf(db),
    keys: tokenKeys,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
    log,
    tracing,
  });
  lifecycle.onStop(() => sessionCache.close());

  const tokens = createTokens({
    ...{ keys, issuer: settings.ISSUER, audience: settings.AUDIENCE },
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
  });
  const keyed = withKeys(settings);
  return {
    ...{ db, sessionCache, tokens },
    ...keyed,
    findReplacement: createReplacements(db),
    ...createRotations({ db, ...keyed, settings }),
    ...recentReads(db, settings),
    staticTokens: createStaticTokens({
      key: tokenKeys.staticTokens,
      source: (hashes) => apiTokens.findByHashes(db, hashes),
    }),
    browser: openBrowserSessions(settings, options.browserUrls ?? {}, options.now),
    passwords,
    passkeys: options.passkeys,
    seal: createSeal(settings.MAIL_PUBLIC_KEY),
    ...createAddressLimits({ redis, mailsPerAddress: settings.MAILS_PER_ADDRESS, log, metrics }),
    exportTurns: createExportTurns(),
    mutex: createKeyedMutex(),
    ...openFollowers(options, { db, publisher }),
    work: createWorkWatch(db),
    activity: createActivityRecorder({ metrics, now: options.now }),
    signIns: createSignInRecorder({ log, now: options.now ?? Date.now }),
    now: options.now ?? Date.now,
    settings,
    slots,
    log,
  };
}

function recentReads(db: Db, { GRANT_IDLE_SECONDS: grantIdleSeconds }: ServiceSettings) {
  return {
    readClient: createRecentReads((id) => oauthClients.findWithSecrets(db, id), RECENT),
    readClientSession: createRecentReads(
      (id) => clientSessions.findLetIn(db, id, { grantIdleSeconds }),
      RECENT,
    ),
  };
}

/**
 * Whatever ends, or is replaced, counts within a second everywhere. The rest of it is for the way of an answer.
 */
const RECENT = { maxAgeMs: 800, max: 5_000 };

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
 * Limits the failures, failed sign-ons, requested mails, challenges and documents of an IP address, and the exports and
 * codes for applications of an account.
 * They are counted in Redis, or by each process for itself while Redis is down.
 */
function createAddressLimits(options: {
  redis: ReturnType<typeof openRedis>;
  mailsPerAddress: number;
  log: Log;
  metrics: Metrics;
}): Record<
  | 'failures'
  | 'clientFailures'
  | 'signOns'
  | 'mailsAskedFor'
  | 'passkeyChallenges'
  | 'exports'
  | 'authorizations'
  | 'deviceStarts'
  | 'deviceCodes'
  | 'clientDocuments',
  FailureCounters
> {
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

/** Opens the connections to Postgres, Redis and the broker, which are closed when the service stops. */
function openConnections(options: {
  service: string;
  settings: ServiceSettings;
  lifecycle: Lifecycle;
  log: Log;
  tracing?: Tracing | undefined;
  topology?: Topology | undefined;
}) {
  const { service, settings, lifecycle, log, tracing, topology } = options;
  const db = connectDb({
    url: settings.DATABASE_URL,
    ca: settings.DATABASE_CA,
    applicationName: `gatehouse-${service}`,
    poolMax: settings.DATABASE_POOL_MAX,
    prepares: settings.DATABASE_PREPARE,
    tracing,
  });
  lifecycle.onStop(() => db.destroy());
  const redis = openRedis({
    urls: settings.REDIS_URL,
    isCluster: settings.REDIS_CLUSTER,
    ca: settings.REDIS_CA,
    log,
  });
  lifecycle.onStop(() => redis.disconnect());
  const publisher = createPublisher({
    url: settings.AMQP_URL,
    ca: settings.AMQP_CA,
    name: service,
    log,
    tracing,
    ...(topology && { topology }),
  });
  lifecycle.onStop(() => publisher.close());
  return { db, redis, publisher };
}
