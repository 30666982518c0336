import { createAuth, createPasswords, createStaticTokens, createTokens } from '@gatehouse/auth-core';
import type { Auth, Keys, Passkeys, Passwords } from '@gatehouse/auth-core';
import {
  activity,
  apiTokens,
  clientSessions,
  createSchemaCheck,
  createWorkWatch,
  deleteExpired,
  loginThrottle,
  mailQuota,
  measurePool,
  oauthClients,
  openDb,
  query,
  signIns,
  startRelay,
  type Db,
} from '@gatehouse/db';
import { createPublisher, createSeal, type QueueDepth, type Topology } from '@gatehouse/events';
import { createKeyedMutex, createLimiter, createRecentReads, Gauge, Unavailable } from '@gatehouse/runtime';
import type { Lifecycle, Log, Metrics, ReadinessChecks, Tracing } from '@gatehouse/runtime';
import { createSessionCache, openRedis, watchEvictions, type Evictions } from '@gatehouse/redis';
import { createAddressLimits } from '../checks/address-limits.ts';
import type { AccountsDeps } from '../deps.ts';
import { isConfirmed } from '../session/proves-freshly.ts';
import { endLapsedSession, saveLastSeen, sweepLapsedSessions } from '../session/lapsed-sessions.ts';
import { createReplacements, createRotations } from '../session/refresh/rotations.ts';
import { createSessionFeed } from '../session/session-feed.ts';
import { lastSeenDelaySeconds, sessionSourceOf } from '../session/session-source.ts';
import { readSessionSlots } from '../session/slots.ts';
import { measureSigningKey, openBrowserSessions, openKeys, readTokenKeys, withKeys } from './service-keys.ts';
import type { BrowserUrls } from './service-keys.ts';
import { createSignInRecorder } from '../sign-in/sign-in-recorder.ts';
import { createActivityRecorder } from '../statistics/activity-recorder.ts';
import type { ServiceSettings } from '../settings/account-settings.ts';
import { removeRetiredGuests } from '../guest/access.ts';

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
 * Creates what a service needs for accounts and sessions, starts the background work, and registers what to stop.
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

/** They follow committed changes: this process wakes both after each of its commits. */
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
    // An export with a long history needs tens of megabytes, and a connection to Postgres.
    exportTurns: createLimiter({ width: 2, waitingMax: 10, waitMs: 1000 }),
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

/** What ends or is replaced counts within a second everywhere; the rest of it is for the way of an answer. */
const RECENT = { maxAgeMs: 800, max: 5_000 };

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

/** The delay with which the last use of a static token is written to Postgres. */
const USES_SECONDS = 3;

/** A process that is killed loses the statistics of up to this time. */
const COUNTS_SECONDS = 10;

/** How soon a change that its process could not write to Redis, or an event that it left, is found. */
const LOOK_SECONDS = 0.5;

/** How soon a sign-in is in its list. */
const SIGN_INS_SECONDS = 1;

function startJobs(deps: AccountsDeps, lifecycle: Lifecycle): void {
  const { db, sessionCache, settings } = deps;
  /** Saves again and again, and at last when the service stops. */
  const saves = (seconds: number, what: string, save: (isLast: boolean) => Promise<void>): void => {
    lifecycle.every(seconds, `saving ${what}`, () => save(false));
    lifecycle.onStop(() => save(true));
  };
  saves(lastSeenDelaySeconds(settings.SESSION_IDLE_SECONDS), 'when sessions were last seen', () =>
    sessionCache.flushLastSeen((seen) => saveLastSeen(deps, seen)),
  );
  saves(USES_SECONDS, 'when static tokens were last used', () =>
    deps.staticTokens.flushUses((uses) => apiTokens.saveUses(db, uses)),
  );
  saves(COUNTS_SECONDS, 'statistics', () => deps.activity.flush((counts) => activity.add(db, counts)));
  saves(SIGN_INS_SECONDS, 'sign-ins', (isLast) =>
    deps.signIns.flush((rows) => signIns.insert(db, rows), { isLast }),
  );
  deps.work.on('outbox', () => deps.relay.wake());
  deps.work.on('live_session_outbox', () => sessionCache.catchUp());
  lifecycle.every(LOOK_SECONDS, 'looking for work', () => deps.work.look());
  lifecycle.every(15, 'ending expired sessions', () => sweepLapsedSessions(deps));
  lifecycle.every(15, 'removing guests without content', () => removeRetiredGuests(deps));
  lifecycle.every(600, 'deleting old codes and failures', () => deleteOldCodes(deps));
}

/** Deletes codes, challenges and counted failures that no longer mean anything. Every API does so. */
export async function deleteOldCodes({ db }: Pick<AccountsDeps, 'db'>): Promise<void> {
  await deleteExpired(db, [
    ...(['account_code', 'earlier_verify_code', 'login_code', 'two_factor_challenge'] as const),
    ...(['session_take_over', 'webauthn_challenge', 'sso_attempt'] as const),
  ]);
  await loginThrottle.deleteOld(db);
  await mailQuota.deleteOld(db);
}

function measureHashing(passwords: Pick<Passwords, 'load'>, metrics: Metrics): void {
  const jobs = new Gauge({
    name: 'gatehouse_hash_jobs',
    help: 'Passwords being hashed or compared, and those that wait for a thread',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { running, waiting } = passwords.load();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  metrics.registerMetric(jobs);
}

export function passwordOptions(settings: ServiceSettings) {
  return {
    pepper: settings.PASSWORD_PEPPER,
    algorithm: settings.PASSWORD_HASH,
    cost: settings.BCRYPT_COST,
    memoryKib: settings.ARGON2_MEMORY_KIB,
    passes: settings.ARGON2_PASSES,
    threads: settings.HASH_THREADS,
    minLength: settings.PASSWORD_MIN_LENGTH,
  };
}
