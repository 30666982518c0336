import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accounts, identityLinks, inTransaction } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { SIGN_ON_SECONDS } from './provider-logouts.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from '../passkey/prove-owner.ts';

/** As long as a sign-on may take at the provider, plus a minute to begin it. */
const TICKET_SECONDS = SIGN_ON_SECONDS + 60;

/** The result of the first step. `guest`, `service`: single sign-on is not available for this kind of account. */
export type IdentityLinkStart =
  | { kind: 'begun'; ticket: string; expiresAt: Date }
  | { kind: 'guest' }
  | { kind: 'service' }
  | Exclude<OwnerProof, { kind: 'proved' }>;

/**
 * Begins to link an identity at a provider to the account of a session: returns a ticket for the sign-on. What that
 * sign-on proves is valid only in this session, so neither the ticket nor its URL is useful to anybody else. A session
 * has one link in progress; a newer one invalidates it.
 */
export async function beginIdentityLink(
  deps: LoginDeps,
  shows: OwnerProofInput & { provider: string },
  origin: Origin,
): Promise<IdentityLinkStart> {
  const { accountId, sessionId, provider } = shows;
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  const ticket = newInvitationToken();
  return inTransaction<IdentityLinkStart>(deps.db, origin, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account?.passwordVersion !== proof.account.passwordVersion) return { kind: 'unproven' };
    if (account.role === 'Guest') return { kind: 'guest' };
    if (account.isService) return { kind: 'service' };
    if (!(await proof.use(tx))) return { kind: 'unproven' };
    await identityLinks.deleteOfSession(tx, sessionId);
    const begun = { ticketHash: hashInvitationToken(ticket), provider, accountId, sessionId };
    const expiresAt = await identityLinks.insert(tx, { ...begun, lifetimeSeconds: TICKET_SECONDS });
    return expiresAt === undefined ? { kind: 'unproven' } : { kind: 'begun', ticket, expiresAt };
  });
}
