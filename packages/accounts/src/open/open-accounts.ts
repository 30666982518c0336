import {
  createAuth,
  createFailureCounters,
  createPasswords,
  createStaticTokens,
  createTokens,
  SUBJECTS_MANY,
  type Auth,
  type Keys,
} from '@gatehouse/auth-core';
import { createSessionCache, openRedis } from '@gatehouse/session-cache';
import {
  accountCodes,
  apiTokens,
  connectDb,
  createSchemaCheck,
  loginThrottle,
  mailQuota,
  query,
  ssoAttempts,
  startRelay,
  twoFactorChallenges,
} from '@gatehouse/db';
import { createPublisher, createSeal, type Topology } from '@gatehouse/events';
import { Counter, createKeyedMutex, type Life, type Log, type Metrics } from '@gatehouse/runtime';
import type { AccountsDeps, AccountSettings } from '../deps.ts';
import { sessionSourceOf } from '../session/session-source.ts';
import { removeRetiredGuests } from '../guest/remove-access.ts';
import { endLapsedSession, saveLastSeen, sweepLapsedSessions } from '../session/lapsed-sessions.ts';
import { createRotations } from '../session/rotations.ts';
import {
  openBrowserSessions,
  openKeys,
  readTokenKeys,
  withKeys,
  type BrowserUrls,
  type KeySettings,
} from './service-keys.ts';
import { lastSeenDelaySeconds } from '../session/sessions.ts';
import { staticTokenSourceOf } from '../account-admin/static-tokens.ts';

/** Settings that every service has, beside those that decide about accounts. */
export interface ServiceSettings extends AccountSettings, KeySettings {
  readonly DATABASE_URL: string;
  readonly DATABASE_CA?: string | undefined;
  readonly DATABASE_POOL_MAX: number;
  readonly DATABASE_PREPARE: boolean;
  readonly REDIS_URL: string;
  readonly REDIS_CA?: string | undefined;
  readonly REDIS_CLUSTER: boolean;
  readonly AMQP_URL: string;
  readonly AMQP_CA?: string | undefined;
  readonly ISSUER: string;
  readonly AUDIENCE: string;
  readonly TOKEN_LEEWAY_SECONDS: number;
  readonly PASSWORD_PEPPER: string;
  readonly BCRYPT_COST: number;
  readonly HASH_THREADS: number;
  readonly MAIL_PUBLIC_KEY: string;
}

const ADDRESS_FAILURES_MAX = 100;
const ADDRESS_WINDOW_SECONDS = 15 * 60;
/** Either one client tries the passwords of many, or many clients look like one. */
const FAILING_FOR_MANY =
  'failed logins for many accounts from one IP address: check TRUST_PROXY, or block the address';

/**
 * Builds what a service needs for accounts and sessions, starts the work that goes on beside requests (relay,
 * cached sessions, when they were last seen, sweeps), and registers every stop.
 */
export function openAccounts(options: {
  service: string;
  settings: ServiceSettings;
  life: Life;
  log: Log;
  metrics: Metrics;
  /** Names on the broker of one's own, for tests. */
  topology?: Topology | undefined;
  now?: () => number;
  /** Whether an administrator’s session is read from Postgres at each call. */
  confirmsAdministrators?: boolean;
  /** Where browsers come from whose cookies this service takes; none by default. */
  browserUrls?: BrowserUrls;
}): AccountsDeps & { auth: Auth; keys: Keys; readiness: Record<string, () => Promise<unknown>> } {
  const { service, settings, life, log, metrics, topology } = options;
  const idleSeconds = settings.SESSION_IDLE_SECONDS;

  const db = connectDb({
    url: settings.DATABASE_URL,
    ca: settings.DATABASE_CA,
    applicationName: `gatehouse-${service}`,
    poolMax: settings.DATABASE_POOL_MAX,
    prepares: settings.DATABASE_PREPARE,
  });
  life.onStop(() => db.destroy());
  const redis = openRedis({
    urls: settings.REDIS_URL,
    isCluster: settings.REDIS_CLUSTER,
    ca: settings.REDIS_CA,
    log,
  });
  life.onStop(() => redis.disconnect());
  const publisher = createPublisher({
    url: settings.AMQP_URL,
    ca: settings.AMQP_CA,
    name: service,
    log,
    ...(topology && { topology }),
  });
  life.onStop(() => publisher.close());
  const keys = openKeys(settings, log);
  life.onStop(() => keys.close());
  const passwords = createPasswords({
    pepper: settings.PASSWORD_PEPPER,
    cost: settings.BCRYPT_COST,
    threads: settings.HASH_THREADS,
    minLength: settings.PASSWORD_MIN_LENGTH,
    log,
  });
  life.onStop(() => passwords.close());
  const tokenKeys = readTokenKeys(settings);
  const sessionCache = createSessionCache({
    redis,
    source: sessionSourceOf(db),
    keys: tokenKeys,
    idleSeconds,
    log,
  });
  life.onStop(() => sessionCache.close());
  const relay = startRelay({ db, publisher, log, metrics });
  life.onStop(() => relay.stop());

  const tokens = createTokens({
    keys,
    issuer: settings.ISSUER,
    audience: settings.AUDIENCE,
    lifetimeSeconds: settings.ACCESS_TOKEN_SECONDS,
    leewaySeconds: settings.TOKEN_LEEWAY_SECONDS,
  });
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
  const keyed = withKeys(settings);
  const browser = openBrowserSessions(settings, options.browserUrls ?? {});
  const deps: AccountsDeps = {
    db,
    sessionCache,
    tokens,
    ...keyed,
    rotate: createRotations({ db, refreshTokens: keyed.refreshTokens, settings }),
    staticTokens: createStaticTokens({
      key: tokenKeys.staticTokens,
      source: staticTokenSourceOf(db),
    }),
    browser,
    passwords,
    seal: createSeal(settings.MAIL_PUBLIC_KEY),
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
      failuresMax: settings.MAILS_PER_ADDRESS,
      windowSeconds: 3600,
      log,
      onLocal: () => countedLocally.inc({ counter: 'mails' }),
    }),
    mutex: createKeyedMutex(),
    relay,
    now: options.now ?? Date.now,
    settings,
    log,
  };
  startJobs(deps, life);

  const auth = createAuth({
    tokens,
    staticTokens: deps.staticTokens,
    browser,
    sessionCache,
    idleSeconds,
    confirmsAdministrators: options.confirmsAdministrators ?? false,
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
  return { ...deps, auth, keys, readiness };
}

/** How late the last use of a static token may reach Postgres. */
const USES_SECONDS = 3;

function startJobs(deps: AccountsDeps, life: Life): void {
  const { db, sessionCache, settings } = deps;
  const flush = () => sessionCache.flushLastSeen((seen) => saveLastSeen(deps, seen));
  life.every(
    lastSeenDelaySeconds(settings.SESSION_IDLE_SECONDS),
    'saving when sessions were last seen',
    flush,
  );
  life.onStop(flush);
  const flushUses = () => deps.staticTokens.flushUses((uses) => apiTokens.saveUses(db, uses));
  life.every(USES_SECONDS, 'saving when static tokens were last used', flushUses);
  life.onStop(flushUses);
  life.every(0.5, 'updating cached sessions', () => sessionCache.catchUp());
  life.every(15, 'ending expired sessions', () => sweepLapsedSessions(deps));
  life.every(15, 'removing guests without content', () => removeRetiredGuests(deps));
  life.every(600, 'deleting old codes and failures', async () => {
    await accountCodes.deleteExpired(db);
    await twoFactorChallenges.deleteExpired(db);
    await loginThrottle.deleteOld(db);
    await mailQuota.deleteOld(db);
    await ssoAttempts.deleteExpired(db);
  });
}
