import {
  createAuth,
  createPasswords,
  createStaticTokens,
  createTokens,
  type Auth,
  type Keys,
  type Passkeys,
} from '@gatehouse/auth-core';
import { createSchemaCheck, query, sessionConfirmations, startRelay, measurePool } from '@gatehouse/db';
import { createSeal, type Topology } from '@gatehouse/events';
import {
  createKeyedMutex,
  Unavailable,
  type Life,
  type Log,
  type Metrics,
  type ReadinessChecks,
} from '@gatehouse/runtime';
import { createSessionCache, watchEvictions } from '@gatehouse/session-cache';
import { staticTokenSourceOf } from '../account-admin/static-tokens.ts';
import type { AccountsDeps } from '../deps.ts';
import type { ServerReadings } from '../system/find-system-state.ts';
import { CONFIRMED_SECONDS } from '../session/confirmation/confirmed-seconds.ts';
import { endLapsedSession } from '../session/lapsed-sessions.ts';
import { createReplacements } from '../session/refresh/replacements.ts';
import { createRotations } from '../session/refresh/rotations.ts';
import { createSessionFeed } from '../session/session-feed.ts';
import { sessionSourceOf } from '../session/session-source.ts';
import { createAddressLimits } from './address-limits.ts';
import { openConnections } from './connections.ts';
import { startJobs } from './jobs.ts';
import { openBrowserSessions, openKeys, readTokenKeys, withKeys, type BrowserUrls } from './service-keys.ts';
import { createActivityRecorder } from '../statistics/activity-recorder.ts';
import { measureHashing } from './hash-metrics.ts';
import { measureSigningKey } from './key-metrics.ts';
import type { ServiceSettings } from '../settings/service-settings.ts';

/** What a service has for accounts and sessions. */
export interface OpenAccounts extends AccountsDeps {
  auth: Auth;
  keys: Keys;
  /** Whether what a service depends on beside Postgres can be used: each fails if not. */
  probes: ReadinessChecks;
  /** What Redis and the broker say of themselves. */
  readings: ServerReadings;
}

interface Options {
  service: string;
  settings: ServiceSettings;
  life: Life;
  log: Log;
  metrics: Metrics;
  /** Separate names on the broker, for tests. */
  topology?: Topology | undefined;
  now?: () => number;
  /** Whether an administrator’s session is read from Postgres at each call. */
  confirmsAdministrators?: boolean;
  /** What checks passkeys (`openPasskeys`), where this service takes any. */
  passkeys?: Passkeys | undefined;
  /** The addresses of the browsers whose cookies this service accepts; none by default. */
  browserUrls?: BrowserUrls;
}

/**
 * Builds what a service needs for accounts and sessions, starts the background work (relay, cached sessions, times of
 * last use, sweeps), and registers every stop.
 */
export function openAccounts(options: Options): OpenAccounts & { readiness: ReadinessChecks } {
  const { settings, life, log } = options;
  const { db, redis, publisher } = openConnections(options);
  const keys = openKeys(settings, log);
  life.onStop(() => keys.close());
  const deps = openDeps(options, { db, redis, publisher, keys });
  startJobs(deps, life);

  const auth = createAuth({
    tokens: deps.tokens,
    staticTokens: deps.staticTokens,
    browser: deps.browser,
    sessionCache: deps.sessionCache,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
    confirmsAdministrators: options.confirmsAdministrators ?? false,
    findReplacement: deps.findReplacement,
    isConfirmed: ({ sessionId }) => sessionConfirmations.isRecent(deps.db, sessionId, CONFIRMED_SECONDS),
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
  return { ...deps, auth, keys, readiness, probes, readings };
}

/** What follows what is committed: this process wakes both after each commit of its own. */
function openFollowers(
  { life, log, metrics }: Options,
  { db, publisher }: Pick<ReturnType<typeof openConnections>, 'db' | 'publisher'>,
): Pick<AccountsDeps, 'relay' | 'sessionFeed'> {
  const relay = startRelay({ db, publisher, log, metrics });
  life.onStop(() => relay.stop());
  const sessionFeed = createSessionFeed({ db, log });
  life.onStop(() => sessionFeed.stop());
  const wake = (): void => {
    relay.wake();
    sessionFeed.wake();
  };
  return { relay: { ...relay, wake }, sessionFeed };
}

function openDeps(
  options: Options,
  { db, redis, publisher, keys }: ReturnType<typeof openConnections> & { keys: Keys },
): AccountsDeps {
  const { settings, life, log, metrics } = options;
  const passwords = createPasswords({
    pepper: settings.PASSWORD_PEPPER,
    cost: settings.BCRYPT_COST,
    threads: settings.HASH_THREADS,
    minLength: settings.PASSWORD_MIN_LENGTH,
    log,
  });
  life.onStop(() => passwords.close());
  measureHashing(passwords, metrics);
  measureSigningKey(keys, metrics);
  measurePool(db, metrics);
  const tokenKeys = readTokenKeys(settings);
  const sessionCache = createSessionCache({
    redis,
    source: sessionSourceOf(db),
    keys: tokenKeys,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
    log,
  });
  life.onStop(() => sessionCache.close());

  const tokens = createTokens({
    keys,
    issuer: settings.ISSUER,
    audience: settings.AUDIENCE,
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
  });
  const keyed = withKeys(settings);
  return {
    db,
    sessionCache,
    tokens,
    ...keyed,
    findReplacement: createReplacements(db),
    rotate: createRotations({ db, refreshTokens: keyed.refreshTokens, settings }),
    staticTokens: createStaticTokens({
      key: tokenKeys.staticTokens,
      source: staticTokenSourceOf(db),
    }),
    browser: openBrowserSessions(settings, options.browserUrls ?? {}),
    passwords,
    passkeys: options.passkeys,
    seal: createSeal(settings.MAIL_PUBLIC_KEY),
    ...createAddressLimits({ redis, mailsPerAddress: settings.MAILS_PER_ADDRESS, log, metrics }),
    mutex: createKeyedMutex(),
    ...openFollowers(options, { db, publisher }),
    activity: createActivityRecorder({ metrics, now: options.now }),
    now: options.now ?? Date.now,
    settings,
    log,
  };
}
