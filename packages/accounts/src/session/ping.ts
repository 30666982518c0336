import type { Caller, Refusal, Replacement } from '@gatehouse/auth-core';
import { pingStatusOf } from '@gatehouse/redis';
import { SessionStatus, type PingStatus } from '@gatehouse/schema';
import type { AccountsDeps } from '../deps.ts';

/** The status of a session for its client, and the login that replaced it, if any. */
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
