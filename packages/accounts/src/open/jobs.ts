import {
  accountCodes,
  activity,
  apiTokens,
  loginThrottle,
  mailQuota,
  ssoAttempts,
  twoFactorChallenges,
  webauthnChallenges,
} from '@gatehouse/db';
import type { Life } from '@gatehouse/runtime';
import type { AccountsDeps } from '../deps.ts';
import { removeRetiredGuests } from '../guest/remove-access.ts';
import { saveLastSeen, sweepLapsedSessions } from '../session/lapsed-sessions.ts';
import { lastSeenDelaySeconds } from '../session/sessions.ts';

/** How late the last use of a static token may reach Postgres. */
const USES_SECONDS = 3;

/** A process that is killed loses the statistics of this time. */
const COUNTS_SECONDS = 10;

/** Starts the background jobs, which run until the service stops. */
export function startJobs(deps: AccountsDeps, life: Life): void {
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
  const flushCounts = () => deps.activity.flush((counts) => activity.add(db, counts));
  life.every(COUNTS_SECONDS, 'saving statistics', flushCounts);
  life.onStop(flushCounts);
  life.every(0.5, 'updating cached sessions', () => sessionCache.catchUp());
  life.every(15, 'ending expired sessions', () => sweepLapsedSessions(deps));
  life.every(15, 'removing guests without content', () => removeRetiredGuests(deps));
  life.every(600, 'deleting old codes and failures', async () => {
    await accountCodes.deleteExpired(db);
    await twoFactorChallenges.deleteExpired(db);
    await webauthnChallenges.deleteExpired(db);
    await loginThrottle.deleteOld(db);
    await mailQuota.deleteOld(db);
    await ssoAttempts.deleteExpired(db);
  });
}
