import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { identityLinks, inTransaction } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import { refusalByDomain, type SsoPerson, type SsoRules, type UntiedReason } from './sso-account.ts';

const CODE_SECONDS = 60;

/** How it ended; `over`: the ticket is unknown, used or expired. */
export type IdentityLinkProof =
  { kind: 'proved'; code: string } | { kind: 'refused'; reason: UntiedReason } | { kind: 'over' };

/**
 * Keeps whom a provider has recognised in the sign-on of a ticket, and gives a code for it, with which the session that began
 * links that identity within a minute. Links nothing: this may be another browser than the owner's. The email matters only
 * where the installation admits some domains alone; an owner may have another address at the provider.
 */
export async function proveIdentityLink(
  deps: Pick<AccountsDeps, 'db'>,
  rules: SsoRules,
  person: SsoPerson,
  ticket: string,
  origin: Origin,
): Promise<IdentityLinkProof> {
  const reason = refusalByDomain(rules, person) ?? unverifiedDomain(rules, person);
  if (reason !== undefined) return { kind: 'refused', reason };
  const code = newInvitationToken();
  const { issuer, subject } = person;
  const proof = {
    ticketHash: hashInvitationToken(ticket),
    provider: rules.id,
    codeHash: hashInvitationToken(code),
    issuer,
    subject,
    lifetimeSeconds: CODE_SECONDS,
  };
  const isProved = await inTransaction(deps.db, origin, (tx) => identityLinks.prove(tx, proof));
  return isProved ? { kind: 'proved', code } : { kind: 'over' };
}

/** Anybody can claim an address of an admitted domain that the provider has not verified. */
function unverifiedDomain(
  { allowedDomains }: SsoRules,
  { isEmailVerified }: SsoPerson,
): 'email_not_verified' | undefined {
  return allowedDomains.length > 0 && !isEmailVerified ? 'email_not_verified' : undefined;
}
