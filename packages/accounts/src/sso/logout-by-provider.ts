import { createHash } from 'node:crypto';
import { accounts, audit, inTransaction, ssoAttempts, ssoIdentities } from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import type { Origin, SessionDeps } from '../deps.ts';
import { PROVIDER_LOGOUT } from '../session/session-source.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';
import { noteLogout } from './provider-logouts.ts';

/** Whom a provider has logged out: somebody, or one session of theirs. */
export interface ProviderLogout {
  /** The provider's name in sessions. */
  provider: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** Names what the provider said, once. */
  id: string;
  isOldAtSeconds: number;
}

/** How many sessions ended; `used`: this was said before. */
export type ProviderLogoutOutcome = { kind: 'done'; sessions: number } | { kind: 'used' };

/**
 * Ends the sessions that this provider's sign-ons have opened, as by a logout: those of its session where it names one, else
 * all of that person; sign-ons that are under way open none. What the provider says counts once, so that nobody who has kept it ends a later session.
 */
export async function logoutByProvider(
  deps: SessionDeps,
  logout: ProviderLogout,
  origin: Origin,
): Promise<ProviderLogoutOutcome> {
  const { provider, issuer, subject, sid } = logout;
  const digest = createHash('sha256')
    .update(JSON.stringify(['logout', issuer, provider, logout.id]))
    .digest();
  const change = { status: SessionStatus.Expired, reason: PROVIDER_LOGOUT, changedBy: undefined };
  const ended = await inTransaction(deps.db, origin, async (tx) => {
    if (!(await ssoAttempts.use(tx, { digest, expiresAtSeconds: logout.isOldAtSeconds }))) return undefined;
    await noteLogout(tx, logout);
    const found =
      subject === undefined ? undefined : await ssoIdentities.findAccount(tx, { issuer, subject });
    if (subject !== undefined && found === undefined) return [];
    if (found !== undefined) await accounts.lockById(tx, found.id);
    const target = { kind: 'logged-out', provider, accountId: found?.id, sid } as const;
    const ids = await endSessions(deps, tx, target, change, origin);
    const entries = ids.map((id) => ({
      action: 'session.ended' as const,
      actor: { kind: 'System' as const },
      target: { kind: 'UserSession' as const, id },
      details: { Provider: provider },
    }));
    await audit.append(tx, entries, origin);
    return ids;
  });
  if (ended === undefined) return { kind: 'used' };
  await publishSessions(deps, ended);
  return { kind: 'done', sessions: ended.length };
}
