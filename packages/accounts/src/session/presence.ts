import { pingStatusOf, refusalOf, type Reading } from '@gatehouse/redis';
import type { Caller, Refusal, Replacement } from '@gatehouse/auth-core';
import { SessionStatus, type PingStatus } from '@gatehouse/schema';
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

interface Pinged {
  kind: 'pinged';
  status: PingStatus;
  replacedBy?: Replacement | undefined;
}

/** Keeps a session alive and returns its status for the client; a refusal after a logout. */
export async function ping(
  deps: Pick<AccountsDeps, 'sessionCache' | 'settings' | 'findReplacement'>,
  caller: Extract<Caller, { kind: 'session' }>,
  contentDefinitionId: string | undefined,
): Promise<Pinged | Refusal<'session_ended'>> {
  const reading = await deps.sessionCache.touch(caller.accountId, caller.sessionId, contentDefinitionId);
  if (reading === undefined || reading.session.isLoggedOut) return { kind: 'refused', code: 'session_ended' };
  const status = pingStatusOf(reading, deps.settings.SESSION_IDLE_SECONDS);
  if (reading.session.status !== SessionStatus.SessionReplaced) return { kind: 'pinged', status };
  return { kind: 'pinged', status, replacedBy: await deps.findReplacement(reading.session) };
}
