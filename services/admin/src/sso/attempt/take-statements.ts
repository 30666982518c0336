import { isDeepStrictEqual } from 'node:util';
import { accountUpdated, conditionOf, removeUnverified, requiresSecondFactor } from '@gatehouse/accounts';
import type { AccountsDeps, Origin, WriteTransaction } from '@gatehouse/accounts';
import { accountGroups, accounts, clientSessions, type Account } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { setEmail } from '../../set-email.ts';
import { refusalByDomain, SsoRace, type SsoPerson, type SsoRules } from './sso-rules.ts';

/** A person whom a provider has authenticated, and the account that is linked to them. */
export interface Linked {
  rules: SsoRules;
  person: SsoPerson;
  account: Account;
}

/** Takes over what a provider says of the person of a linked account, as far as its settings let it; returns the account. */
export async function takeStatements(
  deps: AccountsDeps,
  tx: WriteTransaction,
  linked: Linked,
  origin: Origin,
): Promise<Account> {
  const { rules, person, account } = linked;
  await takeGroups(tx, rules, account.id, person.groups, origin);
  // Whoever cannot sign on with this provider alone changes nothing of the account by it.
  const isOut = account.role === 'Guest' || conditionOf(account) !== undefined;
  if (isOut || (requiresSecondFactor(account) && !rules.trustSecondFactor)) return account;
  const isChanged = await follow(deps, tx, linked, origin);
  return isChanged ? ((await accounts.findById(tx, account.id)) ?? account) : account;
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

/** Gives the account the name and the address that the person has at the provider by now; `true` if that changed it. */
async function follow(deps: AccountsDeps, tx: WriteTransaction, linked: Linked, origin: Origin) {
  if (newNameOf(linked) === undefined && newEmailOf(linked) === undefined) return false;
  const { rules, person, account: known } = linked;
  const account = await accounts.lockById(tx, known.id);
  if (account === undefined) throw new SsoRace();
  const target = { kind: 'Account', id: account.id } as const;
  const displayName = newNameOf({ rules, person, account });
  if (displayName !== undefined) {
    await accounts.setNames(tx, account.id, { displayName, locale: account.locale });
    tx.audit('account.changed', { DisplayName: 'changed', Provider: rules.id }, target);
    tx.event(...accountUpdated(account.id, ['DisplayName'], { origin }));
  }
  const email = newEmailOf({ rules, person, account });
  if (email !== undefined) {
    const removed = await removeUnverified(tx, email, { traceId: origin.traceId, exceptId: account.id });
    const owner = await accounts.findByEmailKey(tx, emailKey(email));
    if (owner !== undefined && owner.id !== account.id) {
      deps.log.warn('the address at the identity provider belongs to another account', {
        provider: rules.id,
        accountId: account.id,
      });
    } else {
      if (!(await setEmail(deps, tx, account, { email, verifies: true }, origin))) throw new SsoRace();
      tx.audit('email.changed', { Provider: rules.id, ...removed }, target);
    }
  }
  return true;
}

function newNameOf({ rules, person: { displayName }, account }: Linked): string | undefined {
  return rules.follow.includes('name') && displayName !== account.displayName ? displayName : undefined;
}

/** Under the conditions under which the address would link an account. That of an administrator stays: it resets passwords. */
function newEmailOf({ rules, person, account }: Linked): string | undefined {
  const { email, isEmailVerified } = person;
  const follows = rules.follow.includes('email') && account.role !== 'Admin';
  const isTrusted = rules.trustEmail && isEmailVerified && refusalByDomain(rules, person) === undefined;
  if (!follows || !isTrusted || email === undefined) return undefined;
  return emailKey(email) === emailKey(account.email) ? undefined : email;
}
