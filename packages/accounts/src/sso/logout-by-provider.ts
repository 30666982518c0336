import { createHash } from 'node:crypto';
import {
  accounts,
  audit,
  inTransaction,
  ssoAttempts,
  sessionCodes,
  ssoIdentities,
  userSessions,
  type Identity,
  type Transaction,
} from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import type { Origin, SessionDeps } from '../deps.ts';
import { tagFact } from '../session/slots/tag-fact.ts';
import { PROVIDER_LOGOUT } from '../session/session-source.ts';
import { endSessions, publishSessions } from '../session/open-and-end.ts';
import { identityDigest } from './identity-digest.ts';
import { recordLogout } from './provider-logouts.ts';

/** Who was logged out by the provider: an account, or one of its sessions. */
export interface ProviderLogout {
  /** The provider's name in sessions. */
  provider: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** The id of the provider's message, which is accepted only once. */
  id: string;
  isOldAtSeconds: number;
}

/** How many sessions ended; `used`: the message was already processed. */
export type ProviderLogoutOutcome = { kind: 'done'; sessions: number } | { kind: 'used' };

/**
 * Ends the sessions that this provider's sign-ons have opened, like a logout: those of one provider session if the
 * provider names it, otherwise all of that person, also those that the owner kept when unlinking the identity. Sign-ons
 * in progress open no session and confirm nothing. A message of the provider is accepted only once, so that nobody can
 * use a copy of it to end a later session.
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
  const change = { status: SessionStatus.Expired, reason: PROVIDER_LOGOUT, changedBy: undefined } as const;
  const ended = await inTransaction(deps.db, origin, async (tx) => {
    if (!(await ssoAttempts.use(tx, { digest, expiresAtSeconds: logout.isOldAtSeconds }))) return undefined;
    await recordLogout(tx, logout);
    const person = subject === undefined ? undefined : { issuer, subject };
    if (person !== undefined) await invalidateConfirmations(tx, person);
    const digestOfPerson = person && identityDigest(person);
    const target = { kind: 'logged-out', provider, identityDigest: digestOfPerson, sid } as const;
    const ids = await endSessions(deps, tx, target, change, origin);
    const entries = (await userSessions.findStates(tx, ids)).map(({ sessionId, tag }) => ({
      action: 'session.ended' as const,
      actor: { kind: 'System' as const },
      target: { kind: 'UserSession' as const, id: sessionId },
      details: { Provider: provider, ...tagFact(tag) },
    }));
    await audit.append(tx, entries, origin);
    return ids;
  });
  if (ended === undefined) return { kind: 'used' };
  await publishSessions(deps, ended);
  return { kind: 'done', sessions: ended.length };
}

/** Locks the account that is linked to a person, and invalidates its confirmations. */
async function invalidateConfirmations(tx: Transaction, person: Identity): Promise<void> {
  const linked = await ssoIdentities.findAccount(tx, person);
  if (linked === undefined) return;
  await accounts.lockById(tx, linked.id);
  await sessionCodes.invalidateConfirmations(tx, linked.id);
}
