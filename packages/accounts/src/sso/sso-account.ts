import {
  accountCodes,
  accounts,
  audit,
  outbox,
  ssoIdentities,
  type Account,
  type Identity,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { accountUpdated } from '../account-admin/account-updated.ts';
import type { NoticeDeps, Origin } from '../deps.ts';
import { countOnCommit } from '../statistics/count-on-commit.ts';
import { conditionOf, isOpenToRegistration } from '../login/login-status.ts';
import { withDevice } from '../login/with-device.ts';
import { mailNotice } from '../mail/mailing.ts';

/** What an installation lets an identity provider do (docs/sso.md). */
export interface SsoRules {
  /** The provider's name in addresses and sessions. */
  id: string;
  /** What it says of emails is believed: it alone decides then whose account is signed in to. */
  trustEmail: boolean;
  /** Where it has entries, an email of another domain ties and makes no account. */
  allowedDomains: readonly string[];
  /** `invited` completes accounts that wait for their owner; `jit` completes those of users and makes new ones. */
  provisioning: 'off' | 'invited' | 'jit';
  /** Its sign-on counts as both factors. */
  trustSecondFactor: boolean;
  /** Nobody else is let in, tied or made an account: for the console. */
  isForAdministrators?: boolean;
}

/** Somebody whom a provider has recognised. */
export interface SsoPerson extends Identity {
  /** Normalised; `undefined` when the provider tells none, or what is no address. */
  email: string | undefined;
  isEmailVerified: boolean;
  displayName: string | undefined;
  /** The provider's own session, where it tells. */
  sid?: string | undefined;
}

/** Why a sign-on ties and makes no account. */
export type UntiedReason =
  | 'account_exists'
  | 'domain_not_allowed'
  | 'email_missing'
  | 'email_not_verified'
  | 'guest_not_allowed'
  | 'not_administrator'
  | 'not_provisioned';

type Found = { kind: 'tied'; account: Account } | { kind: 'refused'; reason: UntiedReason };

/** Another sign-on of the same person, or to the same email, came in between. */
export class SsoRace extends Error {}

/**
 * The account of somebody whom a provider has recognised, by issuer and subject alone once they are tied. Who comes
 * first is tied by their email (docs/sso.md): to an account whose own email is verified, when the provider
 * has verified it too and is trusted to say so. The owner of an account that was there before gets a mail.
 *
 * @throws {SsoRace} which undoes all of it, when another sign-on was faster: look again.
 */
export async function accountOfPerson(
  deps: NoticeDeps,
  tx: Transaction,
  rules: SsoRules,
  person: SsoPerson,
  origin: Origin,
): Promise<Found> {
  const tied = await ssoIdentities.findAccount(tx, person);
  if (tied?.isService === true) return { kind: 'refused', reason: 'account_exists' };
  if (tied !== undefined && !isAdmitted(rules, tied)) return { kind: 'refused', reason: 'not_administrator' };
  if (tied !== undefined) return { kind: 'tied', account: tied };
  const { email } = person;
  if (email === undefined) return { kind: 'refused', reason: 'email_missing' };
  const reason = refusalByDomain(rules, person);
  if (reason !== undefined) return { kind: 'refused', reason };
  const existing = await accounts.lockByEmailKey(tx, emailKey(email));
  return existing === undefined
    ? makeAccount(deps, tx, rules, { ...person, email }, origin)
    : tieAccount(deps, tx, rules, person, existing, origin);
}

/** Why nobody with this email is tied, where the installation admits some domains alone. */
export function refusalByDomain(
  { allowedDomains }: SsoRules,
  { email }: SsoPerson,
): 'email_missing' | 'domain_not_allowed' | undefined {
  if (allowedDomains.length === 0) return undefined;
  if (email === undefined) return 'email_missing';
  return allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1)) ? undefined : 'domain_not_allowed';
}

async function makeAccount(
  deps: NoticeDeps,
  tx: Transaction,
  rules: SsoRules,
  person: SsoPerson & { email: string },
  origin: Origin,
): Promise<Found> {
  if (rules.provisioning !== 'jit' || rules.isForAdministrators === true)
    return { kind: 'refused', reason: 'not_provisioned' };
  if (!isOwner(rules, person)) return { kind: 'refused', reason: 'email_not_verified' };
  const id = newId();
  const isNew = await accounts.insert(tx, {
    id,
    email: person.email,
    emailKey: emailKey(person.email),
    displayName: person.displayName,
    locale: 'en',
    role: 'User',
    signup: 'complete',
    passwordHash: undefined,
    isEmailVerified: true,
  });
  const account = isNew ? await accounts.findById(tx, id) : undefined;
  if (account === undefined) throw new SsoRace();
  countOnCommit(deps, tx, 'registration');
  await outbox.add(tx, [newEvent('account.registered', { UserId: id }, origin)]);
  await record(tx, 'account.created', rules, id, origin);
  return tie(tx, rules, person, account, origin);
}

async function tieAccount(
  deps: NoticeDeps,
  tx: Transaction,
  rules: SsoRules,
  person: SsoPerson,
  account: Account,
  origin: Origin,
): Promise<Found> {
  // A program signs on with nobody's identity.
  if (!isOwner(rules, person) || account.isService) return { kind: 'refused', reason: 'account_exists' };
  if (account.role === 'Guest') return { kind: 'refused', reason: 'guest_not_allowed' };
  if (!isAdmitted(rules, account)) return { kind: 'refused', reason: 'not_administrator' };
  const isCompletable = mayComplete(rules, account);
  // A stranger may have registered the address: what its owner has not confirmed is nobody's to sign in to.
  if (!account.isEmailVerified && !isCompletable) return { kind: 'refused', reason: 'account_exists' };
  // Nothing is tied to an account that could not be signed in to; `loginBySso` says why.
  if (account.isDisabled || account.isExpired) return { kind: 'tied', account };
  if (isCompletable) {
    await accounts.completeBySso(tx, account.id, person.displayName);
    await accountCodes.deleteAll(tx, account.id);
    const isNamed = account.displayName === null && person.displayName !== undefined;
    await outbox.add(tx, [
      newEvent('account.verified', { UserId: account.id }, origin),
      ...accountUpdated(account.id, isNamed ? ['DisplayName'] : [], { changedBy: account.id, origin }),
    ]);
  } else if (conditionOf(account) !== undefined) return { kind: 'tied', account };
  const found = await tie(tx, rules, person, account, origin);
  if (found.kind === 'tied') {
    const linked = { UserId: account.id, Provider: rules.id };
    await mailNotice(deps, tx, found.account, 'account.identity-linked', linked, withDevice(origin));
  }
  return found;
}

/**
 * Whether a sign-on completes an account that waits for its owner. Where anybody of a provider may come, it gives
 * nobody more rights than anybody has: that is for an administrator to have mailed, or for `invited` to say.
 */
function mayComplete({ provisioning }: SsoRules, account: Account): boolean {
  if (account.signup !== 'new' && account.signup !== 'migration') return false;
  return provisioning === 'invited' || (provisioning === 'jit' && isOpenToRegistration(account));
}

/** Whether the account has the rights that the sign-on is for. */
export function isAdmitted({ isForAdministrators }: SsoRules, { role }: Pick<Account, 'role'>): boolean {
  return isForAdministrators !== true || role === 'Admin';
}

/** Whether somebody owns the email that the provider tells of them. */
function isOwner(rules: SsoRules, person: SsoPerson): boolean {
  return person.isEmailVerified && rules.trustEmail;
}

async function tie(
  tx: Transaction,
  rules: SsoRules,
  person: SsoPerson,
  account: Account,
  origin: Origin,
): Promise<Found> {
  if (await ssoIdentities.insert(tx, { ...person, provider: rules.id }, account.id)) {
    await record(tx, 'sso.linked', rules, account.id, origin);
    return { kind: 'tied', account: (await accounts.findById(tx, account.id)) ?? account };
  }
  // Either the same user signed on twice at once, or the account is linked to another user of this issuer.
  if ((await ssoIdentities.findAccount(tx, person)) !== undefined) throw new SsoRace();
  return { kind: 'refused', reason: 'account_exists' };
}

function record(
  tx: Transaction,
  action: 'account.created' | 'sso.linked',
  rules: SsoRules,
  accountId: string,
  origin: Origin,
): Promise<void> {
  const target = { kind: 'Account', id: accountId } as const;
  const details = { Provider: rules.id };
  return audit.append(tx, [{ action, actor: { kind: 'System' }, target, details }], origin);
}
