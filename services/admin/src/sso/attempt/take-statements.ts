import { isDeepStrictEqual } from 'node:util';
import { accountUpdated, conditionOf, removeUnverified, requiresSecondFactor } from '@gatehouse/accounts';
import type { AccountsDeps, Origin, WriteTransaction } from '@gatehouse/accounts';
import { accountGroups, accounts, clientSessions, ssoIdentities, type Account } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { setEmail } from '../../set-email.ts';
import { refusalByDomain, SsoRace, type SsoPerson, type SsoRules } from './sso-rules.ts';

export interface Linked {
  rules: SsoRules;
  person: SsoPerson;
  account: Account;
}

/** Takes over what a provider says of the person of a linked account, as far as its settings let it. */
export async function takeStatements(
  deps: AccountsDeps,
  tx: WriteTransaction,
  linked: Linked,
  origin: Origin,
): Promise<{ kind: 'tied'; account: Account }> {
  const { rules, person, account } = linked;
  await takeGroups(tx, rules, account.id, person.groups, origin);
  // Whoever cannot sign on with this provider alone changes nothing of the account by it.
  const isOut = account.role === 'Guest' || conditionOf(account) !== undefined;
  if (isOut || (requiresSecondFactor(account) && !rules.trustSecondFactor)) return { kind: 'tied', account };
  const isChanged = await follow(deps, tx, linked, origin);
  const after = isChanged ? await accounts.findById(tx, account.id) : undefined;
  return { kind: 'tied', account: after ?? account };
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
  await accountGroups.replace(tx, { accountIds: [accountId], source: provider, labels: groups });
  tx.audit('account.changed', { Groups: groups, Provider: provider }, { kind: 'Account', id: accountId });
  tx.event(...accountUpdated(accountId, ['Groups'], { origin }));
  await clientSessions.removeNotLetIn(tx, { accountIds: [accountId] });
}

/** Gives the account the name and the address that the person has at the provider by now; `true` if it may have changed. */
async function follow(deps: AccountsDeps, tx: WriteTransaction, linked: Linked, origin: Origin) {
  const { rules, person, account: known } = linked;
  const said = trustedEmailOf(linked);
  const isEmailKnown =
    said === undefined || (await ssoIdentities.hadEmail(tx, { ...person, emailKey: emailKey(said) }));
  if (isEmailKnown && newNameOf(linked) === undefined) return false;
  const account = await accounts.lockById(tx, known.id);
  if (account === undefined) throw new SsoRace();
  const displayName = newNameOf({ rules, person, account });
  if (displayName !== undefined) {
    await accounts.setNames(tx, { accountId: account.id, displayName, locale: account.locale });
    const target = { kind: 'Account', id: account.id } as const;
    tx.audit('account.changed', { DisplayName: 'changed', Provider: rules.id }, target);
    tx.event(...accountUpdated(account.id, ['DisplayName'], { origin }));
  }
  // Not `said`: the account may have become an administrator's before the lock.
  const email = trustedEmailOf({ rules, person, account });
  if (email !== undefined) await followEmail(deps, tx, { rules, person, account }, email, origin);
  return true;
}

/**
 * The account's address only follows if it is the one that the person had at the last sign-on: that of an identity that
 * was linked with another address may be a thief's, who had a session of the owner.
 */
async function followEmail(
  deps: AccountsDeps,
  tx: WriteTransaction,
  { rules: { id: provider }, person, account }: Linked,
  email: string,
  origin: Origin,
): Promise<void> {
  const { id } = account;
  const isNew = emailKey(email) !== emailKey(account.email);
  if (isNew && (await ssoIdentities.hadEmail(tx, { ...person, emailKey: emailKey(account.email) }))) {
    const removed = await removeUnverified(tx, email, { traceId: origin.traceId, exceptId: id });
    if ((await accounts.findByEmailKey(tx, emailKey(email))) !== undefined) {
      const facts = { provider, accountId: id };
      return deps.log.warn('the address at the identity provider belongs to another account', facts);
    }
    if (!(await setEmail(deps, tx, account, { email, verifies: true }, origin))) throw new SsoRace();
    tx.audit('email.changed', { Provider: provider, ...removed }, { kind: 'Account', id });
  }
  await ssoIdentities.noteEmail(tx, { ...person, emailKey: emailKey(email) });
}

function newNameOf({ rules, person: { displayName }, account }: Linked): string | undefined {
  return rules.follow.includes('name') && displayName !== account.displayName ? displayName : undefined;
}

/** Under the conditions under which the address would link an account. That of an administrator stays: it resets passwords. */
function trustedEmailOf({ rules, person, account }: Linked): string | undefined {
  const follows = rules.follow.includes('email') && account.role !== 'Admin';
  const isTrusted =
    rules.trustEmail && person.isEmailVerified && refusalByDomain(rules, person) === undefined;
  return follows && isTrusted ? person.email : undefined;
}
