import { pingStatusOf, refusalOf, type Reading } from '@gatehouse/redis';
import type { Caller, Refusal, Replacement } from '@gatehouse/auth-core';
import { SessionStatus, type PingStatus } from '@gatehouse/schema';
import type { AccountsDeps } from '../deps.ts';

/** Reads sessions from the cache in one batch, by id, without those that give no access, whatever their rows say. */
export async function readPresence(
  deps: Pick<AccountsDeps, 'sessionCache' | 'settings'>,
  sessions: readonly { accountId: string; sessionId: string }[],
): Promise<Map<string, Reading>> {
  const readings = await Promise.all(sessions.map((session) => readActive(deps, session)));
  return new Map(readings.flatMap((reading) => (reading ? [[reading.session.sessionId, reading]] : [])));
}

/** A session from the cache; `undefined` if it gives no access now. */
export async function readActive(
  { sessionCache, settings }: Pick<AccountsDeps, 'sessionCache' | 'settings'>,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<Reading | undefined> {
  const reading = await sessionCache.read(accountId, sessionId);
  return reading && refusalOf(reading, settings.SESSION_IDLE_SECONDS) === undefined ? reading : undefined;
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
