import { refusalOf, type Reading } from '@gatehouse/redis';
import type { AccountsDeps } from '../deps.ts';

/**
 * Reads the current state of any number of sessions from the cache, in one batch. Sessions that no longer give access
 * are left out, whatever their rows say. The result is by session id.
 */
export async function readPresence(
  deps: Pick<AccountsDeps, 'sessionCache' | 'settings'>,
  sessions: readonly { accountId: string; sessionId: string }[],
): Promise<Map<string, Reading>> {
  const readings = await Promise.all(
    sessions.map(({ accountId, sessionId }) => deps.sessionCache.read(accountId, sessionId)),
  );
  const present = new Map<string, Reading>();
  for (const reading of readings) {
    if (reading === undefined || refusalOf(reading, deps.settings.SESSION_IDLE_SECONDS) !== undefined)
      continue;
    present.set(reading.session.sessionId, reading);
  }
  return present;
}

/** Whether a session was pinged within `ONLINE_WINDOW_SECONDS`; the session must give access. */
export function isOnline(deps: Pick<AccountsDeps, 'settings'>, { session, nowSeconds }: Reading): boolean {
  return nowSeconds - session.lastPingAt < deps.settings.ONLINE_WINDOW_SECONDS;
}
