import { activity, apiTokens, deleteExpired, loginThrottle, mailQuota, signIns } from '@gatehouse/db';
import type { NewSignIn } from '@gatehouse/db';
import { Gauge, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import type { Passwords } from '@gatehouse/auth-core';
import type { AccountsDeps } from '../deps.ts';
import { removeRetiredGuests } from '../guest/access.ts';
import { saveLastSeen, sweepLapsedSessions } from '../session/lapsed-sessions.ts';
import { lastSeenDelaySeconds } from '../session/session-source.ts';
import type { ServiceSettings } from '../settings/key-settings.ts';

/** The delay with which the last use of a static token is written to Postgres. */
const USES_SECONDS = 3;

/** A process that is killed loses the statistics of up to this time. */
const COUNTS_SECONDS = 10;

/** How soon a change that its process could not write to Redis, or an event that it left, is found. */
const LOOK_SECONDS = 0.5;

/** How soon a sign-in is in its list. */
const SIGN_INS_SECONDS = 1;

/** Starts the background jobs, which run until the service stops. */
export function startJobs(deps: AccountsDeps, lifecycle: Lifecycle): void {
  const { db, sessionCache, settings } = deps;
  const flush = () => sessionCache.flushLastSeen((seen) => saveLastSeen(deps, seen));
  const delaySeconds = lastSeenDelaySeconds(settings.SESSION_IDLE_SECONDS);
  lifecycle.every(delaySeconds, 'saving when sessions were last seen', flush);
  lifecycle.onStop(flush);
  const flushUses = () => deps.staticTokens.flushUses((uses) => apiTokens.saveUses(db, uses));
  lifecycle.every(USES_SECONDS, 'saving when static tokens were last used', flushUses);
  lifecycle.onStop(flushUses);
  const flushCounts = () => deps.activity.flush((counts) => activity.add(db, counts));
  lifecycle.every(COUNTS_SECONDS, 'saving statistics', flushCounts);
  lifecycle.onStop(flushCounts);
  const saveSignIns = (rows: readonly NewSignIn[]) => signIns.insert(db, rows);
  lifecycle.every(SIGN_INS_SECONDS, 'saving sign-ins', () => deps.signIns.flush(saveSignIns));
  lifecycle.onStop(() => deps.signIns.flush(saveSignIns, { isLast: true }));
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

export function measureHashing(passwords: Pick<Passwords, 'load'>, metrics: Metrics): void {
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

/** How a service hashes passwords, for `createPasswords`. */
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
