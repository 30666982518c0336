import { createAuth, createPasswords, createStaticTokens, createTokens } from '@gatehouse/auth-core';
import type { Auth, Keys, Passkeys, Passwords } from '@gatehouse/auth-core';
import {
  apiTokens,
  clientSessions,
  createSchemaCheck,
  createWorkWatch,
  measurePool,
  oauthClients,
  openDb,
  query,
  startRelay,
  type Db,
} from '@gatehouse/db';
import { createPublisher, createSeal, type QueueDepth, type Topology } from '@gatehouse/events';
import { createKeyedMutex, createRecentReads, Unavailable } from '@gatehouse/runtime';
import type { Lifecycle, Log, Metrics, ReadinessChecks, Tracing } from '@gatehouse/runtime';
import { createSessionCache, openRedis, watchEvictions, type Evictions } from '@gatehouse/redis';
import { createAddressLimits } from '../checks/address-limits.ts';
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
      (id) => clientSessions.findLetIn(db, { id, grantIdleSeconds }),
      RECENT,
    ),
  };
}

/**
 * Whatever ends, or is replaced, counts within a second everywhere. The rest of it is for the way of an answer.
 */
const RECENT = { maxAgeMs: 800, max: 5_000 };

/** Opens the connections to Postgres, Redis and the broker, which are closed when the service stops. */
function openConnections({ service, settings, lifecycle, log, tracing, topology }: Options) {
  const db = openDb(service, settings, { lifecycle, tracing });
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
