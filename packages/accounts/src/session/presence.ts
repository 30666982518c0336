import { refusalOf, type Reading } from '@gatehouse/session-cache';
import type { AccountsDeps } from '../deps.ts';

/**
 * Reads sessions as they stand now, in one batch however many they are. Those that give no access any more are
 * left out, whatever their rows still say. By the sessions' ids.
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

/** Whether a session that gives access was pinged within `ONLINE_WINDOW_SECONDS`. */
export function isOnline(deps: Pick<AccountsDeps, 'settings'>, { session, nowSeconds }: Reading): boolean {
  return nowSeconds - session.lastPingAt < deps.settings.ONLINE_WINDOW_SECONDS;
}
