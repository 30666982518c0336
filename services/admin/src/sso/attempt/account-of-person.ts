import {
  accountUpdated,
  conditionOf,
  countOnCommit,
  differingNames,
  isAdmitted,
  isOpenToRegistration,
  mailNotice,
  withDevice,
} from '@gatehouse/accounts';
import type { AccountsDeps, Origin, WriteTransaction } from '@gatehouse/accounts';
import { accountCodes, accounts, ssoIdentities, type Account } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { refusalByDomain, SsoRace, type SsoPerson, type SsoRules } from './sso-rules.ts';
import { takeStatements, type Linked } from './take-statements.ts';

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
  if (tied !== undefined) return takeStatements(deps, tx, { rules, person, account: tied }, origin);
  const { email } = person;
  if (email === undefined) return { kind: 'refused', reason: 'email_missing' };
  const reason = refusalByDomain(rules, person);
  if (reason !== undefined) return { kind: 'refused', reason };
  // Before any account is looked up: a person who does not own the email learns nothing about its account.
  const isOwner = person.isEmailVerified && rules.trustEmail;
  if (!isOwner) return { kind: 'refused', reason: 'email_not_verified' };
  const existing = await accounts.lockByEmailKey(tx, emailKey(email));
  return existing === undefined
    ? makeAccount(deps, tx, rules, { ...person, email }, origin)
    : tieAccount(deps, tx, rules, person, existing, origin);
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
  return tie(deps, tx, { rules, person, account }, origin);
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
    await accounts.completeBySso(tx, { accountId, locale: undefined, ...person });
    await accountCodes.deleteAll(tx, account.id);
    const changed = differingNames(account, (await accounts.findById(tx, account.id)) ?? account);
    const verified = newEvent('account.verified', { UserId: account.id }, origin);
    tx.event(verified, ...accountUpdated(account.id, changed, { changedBy: account.id, origin }));
  } else if (conditionOf(account) !== undefined) return { kind: 'tied', account };
  const found = await tie(deps, tx, { rules, person, account }, origin);
  if (found.kind === 'tied') {
    const linked = { Provider: rules.id };
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

async function tie(
  deps: AccountsDeps,
  tx: WriteTransaction,
  { rules, person, account }: Linked,
  origin: Origin,
): Promise<Found> {
  if (await ssoIdentities.insert(tx, { ...person, provider: rules.id, accountId: account.id })) {
    tx.audit('sso.linked', { Provider: rules.id }, { kind: 'Account', id: account.id });
    const linked = (await accounts.findById(tx, account.id)) ?? account;
    return takeStatements(deps, tx, { rules, person, account: linked }, origin);
  }
  // Either the same user signed on twice concurrently, or the account is linked to another user of this issuer.
  if ((await ssoIdentities.findAccount(tx, person)) !== undefined) throw new SsoRace();
  return { kind: 'refused', reason: 'account_exists', accountId: account.id };
}
