import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { identityLinks, inTransaction } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import { refusalByDomain, type SsoPerson, type SsoRules, type UnlinkedReason } from './sso-account.ts';

const CODE_SECONDS = 60;

/** The result of the proof; `over`: the ticket is unknown, used or expired. */
export type IdentityLinkProof =
  { kind: 'proved'; code: string } | { kind: 'refused'; reason: UnlinkedReason } | { kind: 'over' };

/**
 * Stores the identity that a provider has authenticated in the sign-on of a ticket, and returns a code. With this code,
 * the session that began the link can complete it within a minute. Nothing is linked here, because this may be another
 * person's browser. The email matters only if the installation admits only some domains; an owner may have another
 * address at the provider.
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

/** If the provider has not verified the address, anybody could claim one of an admitted domain. */
function unverifiedDomain(
  { allowedDomains }: SsoRules,
  { isEmailVerified }: SsoPerson,
): 'email_not_verified' | undefined {
  return allowedDomains.length > 0 && !isEmailVerified ? 'email_not_verified' : undefined;
}
