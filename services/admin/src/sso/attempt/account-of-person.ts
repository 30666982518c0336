import { isDeepStrictEqual } from 'node:util';
import {
  accountUpdated,
  conditionOf,
  countOnCommit,
  differingNames,
  isAdmitted,
  isOpenToRegistration,
  mailNotice,
  withDevice,
  type AccountsDeps,
  type Origin,
  type SignOnRules,
  type WriteTransaction,
} from '@gatehouse/accounts';
import {
  accountCodes,
  accountGroups,
  accounts,
  clientSessions,
  ssoIdentities,
  type Account,
  type Identity,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';

/** What an identity provider may do in this installation (docs/sso.md). */
export interface SsoRules extends SignOnRules {
  /** Whether its statements about emails are trusted: the provider alone then decides which account a person gets. */
  trustEmail: boolean;
  /** If not empty, accounts are linked and created only for emails of these domains. */
  allowedDomains: readonly string[];
  /**
   * `invited` completes accounts that wait for their owner; `jit` completes those with the role User and creates new
   * ones.
   */
  provisioning: 'off' | 'invited' | 'jit';
}

/** A person whom a provider has authenticated. */
export interface SsoPerson extends Identity {
  /** Normalised; `undefined` if the provider sent none, or an invalid one. */
  email: string | undefined;
  isEmailVerified: boolean;
  displayName: string | undefined;
  /** All groups that the provider gives the account, as they are stored; `undefined` leaves them as they are. */
  groups?: string[] | undefined;
  /** The language in which they signed on, for an account that this creates or completes. */
  locale?: string | undefined;
  /** The provider's own session id, if it sent one. */
  sid?: string | undefined;
}

/** Why a sign-on links and creates no account. */
export type UnlinkedReason =
  | 'account_exists'
  | 'domain_not_allowed'
  | 'email_missing'
  | 'email_not_verified'
  | 'guest_not_allowed'
  | 'not_administrator'
  | 'not_provisioned';

type Found =
  { kind: 'tied'; account: Account } | { kind: 'refused'; reason: UnlinkedReason; accountId?: string };

/** Another sign-on of the same person, or for the same email, has interfered. */
export class SsoRace extends Error {}

/**
 * Finds the account of a person whom a provider has authenticated. A linked person is found by issuer and subject only.
 * At the first sign-on, the person is linked by email (docs/sso.md), if the provider has verified it and is trusted to
 * say so. The owner of an account that existed before gets a mail.
 *
 * @throws {SsoRace} if another sign-on was faster: the transaction is rolled back, and the caller must try again.
 */
export async function accountOfPerson(
  deps: AccountsDeps,
  tx: WriteTransaction,
  rules: SsoRules,
  person: SsoPerson,
  origin: Origin,
): Promise<Found> {
  const tied = await ssoIdentities.findAccount(tx, person);
  if (tied?.isService === true) return { kind: 'refused', reason: 'account_exists', accountId: tied.id };
  if (tied !== undefined && !isAdmitted(rules, tied))
    return { kind: 'refused', reason: 'not_administrator', accountId: tied.id };
  if (tied !== undefined) {
    await takeGroups(tx, rules, tied.id, person.groups, origin);
    return { kind: 'tied', account: tied };
  }
  const { email } = person;
  if (email === undefined) return { kind: 'refused', reason: 'email_missing' };
  const reason = refusalByDomain(rules, person);
  if (reason !== undefined) return { kind: 'refused', reason };
  // Before any account is looked up: a person who does not own the email learns nothing about its account.
  if (!isOwner(rules, person)) return { kind: 'refused', reason: 'email_not_verified' };
  const existing = await accounts.lockByEmailKey(tx, emailKey(email));
  return existing === undefined
    ? makeAccount(deps, tx, rules, { ...person, email }, origin)
    : tieAccount(deps, tx, rules, person, existing, origin);
}

/** Why a person with this email is not linked, if the installation admits only some domains. */
export function refusalByDomain(
  { allowedDomains }: SsoRules,
  { email }: SsoPerson,
): 'email_missing' | 'domain_not_allowed' | undefined {
  if (allowedDomains.length === 0) return undefined;
  if (email === undefined) return 'email_missing';
  return allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1)) ? undefined : 'domain_not_allowed';
}

async function makeAccount(
  deps: AccountsDeps,
  tx: WriteTransaction,
  rules: SsoRules,
  person: SsoPerson & { email: string },
  origin: Origin,
): Promise<Found> {
  if (rules.provisioning !== 'jit' || rules.isForAdministrators === true)
    return { kind: 'refused', reason: 'not_provisioned' };
  const id = newId();
  const isNew = await accounts.insert(tx, {
    id,
    email: person.email,
    emailKey: emailKey(person.email),
    displayName: person.displayName,
    locale: person.locale ?? 'en',
    role: 'User',
    signup: 'complete',
    passwordHash: undefined,
    isEmailVerified: true,
  });
  const account = isNew ? await accounts.findById(tx, id) : undefined;
  if (account === undefined) throw new SsoRace();
  countOnCommit(deps, tx, 'registration');
  tx.event(newEvent('account.registered', { UserId: id }, origin));
  tx.audit('account.created', { Provider: rules.id }, { kind: 'Account', id });
  return tie(tx, rules, person, account, origin);
}

async function tieAccount(
  deps: AccountsDeps,
  tx: WriteTransaction,
  rules: SsoRules,
  person: SsoPerson,
  account: Account,
  origin: Origin,
): Promise<Found> {
  const accountId = account.id;
  // Service accounts cannot be linked to a person's identity.
  if (account.isService) return { kind: 'refused', reason: 'account_exists', accountId };
  if (account.role === 'Guest') return { kind: 'refused', reason: 'guest_not_allowed', accountId };
  if (!isAdmitted(rules, account)) return { kind: 'refused', reason: 'not_administrator', accountId };
  const isCompletable = mayComplete(rules, account);
  if (!account.isEmailVerified && !isCompletable)
    return { kind: 'refused', reason: 'account_exists', accountId };
  // An account that cannot log in is not linked; `loginBySso` returns the reason.
  if (account.isDisabled || account.isExpired) return { kind: 'tied', account };
  if (isCompletable) {
    await accounts.completeBySso(tx, account.id, person);
    await accountCodes.deleteAll(tx, account.id);
    const changed = differingNames(account, (await accounts.findById(tx, account.id)) ?? account);
    tx.event(
      newEvent('account.verified', { UserId: account.id }, origin),
      ...accountUpdated(account.id, changed, { changedBy: account.id, origin }),
    );
  } else if (conditionOf(account) !== undefined) return { kind: 'tied', account };
  const found = await tie(tx, rules, person, account, origin);
  if (found.kind === 'tied') {
    const linked = { UserId: account.id, Provider: rules.id };
    await mailNotice(deps, tx, found.account, 'account.identity-linked', linked, withDevice(origin));
  }
  return found;
}

/**
 * Whether a sign-on completes an account that waits for its owner, or takes over one whose email nobody has verified: a
 * stranger may have registered it, so their password is removed. With `jit`, where anybody from a provider may get an
 * account, it completes only accounts without special rights: others need a mail from an administrator, or `invited`.
 */
function mayComplete({ provisioning }: SsoRules, account: Account): boolean {
  if (account.signup === 'invitation' || (account.signup === 'complete' && account.isEmailVerified))
    return false;
  if (provisioning === 'invited') return true;
  return isOpenToRegistration(account) && (provisioning === 'jit' || account.signup === 'complete');
}

/** Whether the person counts as the owner of the email that the provider sent. */
function isOwner(rules: SsoRules, person: SsoPerson): boolean {
  return person.isEmailVerified && rules.trustEmail;
}

async function tie(
  tx: WriteTransaction,
  rules: SsoRules,
  person: SsoPerson,
  account: Account,
  origin: Origin,
): Promise<Found> {
  if (await ssoIdentities.insert(tx, { ...person, provider: rules.id }, account.id)) {
    tx.audit('sso.linked', { Provider: rules.id }, { kind: 'Account', id: account.id });
    await takeGroups(tx, rules, account.id, person.groups, origin);
    return { kind: 'tied', account: (await accounts.findById(tx, account.id)) ?? account };
  }
  // Either the same user signed on twice concurrently, or the account is linked to another user of this issuer.
  if ((await ssoIdentities.findAccount(tx, person)) !== undefined) throw new SsoRace();
  return { kind: 'refused', reason: 'account_exists', accountId: account.id };
}

/**
 * Sets the groups that a provider says of a linked account to those that it has just named; those that others say stay.
 * Nothing if it has said nothing about groups (`groups` undefined). Whoever loses a group is signed out of the
 * applications that require it.
 */
async function takeGroups(
  tx: WriteTransaction,
  { id: provider }: SsoRules,
  accountId: string,
  groups: string[] | undefined,
  origin: Origin,
): Promise<void> {
  if (groups === undefined) return;
  const isSame = async () => {
    const before = await accountGroups.findOfSource(tx, accountId, provider);
    return isDeepStrictEqual(before.toSorted(), groups);
  };
  if (await isSame()) return;
  // As everywhere, the account is locked before what belongs to it; another sign-on may have done the same meanwhile.
  await accounts.lockById(tx, accountId);
  if (await isSame()) return;
  await accountGroups.replace(tx, [accountId], provider, groups);
  tx.audit('account.changed', { Groups: groups, Provider: provider }, { kind: 'Account', id: accountId });
  tx.event(...accountUpdated(accountId, ['Groups'], { origin }));
  await clientSessions.removeNotLetIn(tx, { accountIds: [accountId] });
}
