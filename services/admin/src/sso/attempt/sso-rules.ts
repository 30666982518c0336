import type { SignOnRules } from '@gatehouse/accounts';
import type { Identity } from '@gatehouse/db';

/** What an identity provider may do in this installation (docs/sso.md). */
export interface SsoRules extends SignOnRules {
  /** Whether its statements about emails are trusted: the provider alone then decides which account a person gets. */
  trustEmail: boolean;
  /** If not empty, accounts are linked and created only for emails of these domains. */
  allowedDomains: readonly string[];
  /** `invited` completes accounts that wait for their owner; `jit` those with the role User, and creates new ones. */
  provisioning: 'off' | 'invited' | 'jit';
  follow: readonly ('name' | 'email')[];
}

export interface SsoPerson extends Identity {
  /** Normalised; `undefined` if the provider sent none, or an invalid one. */
  email: string | undefined;
  isEmailVerified: boolean;
  displayName: string | undefined;
  /** All groups that the provider gives the account, as they are stored; `undefined` leaves them as they are. */
  groups?: string[] | undefined;
  /** The language in which they signed on, for an account that this creates or completes. */
  locale?: string | undefined;
  sid?: string | undefined;
}

/** Another sign-on of the same person, or for the same email, has interfered. */
export class SsoRace extends Error {}

/** Why a person with this email is not linked, if the installation admits only some domains. */
export function refusalByDomain({ allowedDomains }: SsoRules, { email }: SsoPerson) {
  if (allowedDomains.length === 0) return undefined;
  if (email === undefined) return 'email_missing';
  return allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1)) ? undefined : 'domain_not_allowed';
}
