import { inTransaction, ssoIdentities, type Transaction } from '@gatehouse/db';
import { CONDITION_CODES } from '@gatehouse/schema';
import type { AccountsDeps, Origin } from '../deps.ts';
import { requiresSecondFactor, conditionOf } from '../checks/login-status.ts';
import { deferLogouts, isLoggedOut, type SignedOnPerson } from './provider-logouts.ts';
import { isAdmitted, type SsoRules } from './sso-account.ts';
import type { SsoRefusal } from './sso-login.ts';

/** The result of a sign-on that confirms a user's identity. */
export type SsoConfirmation =
  { kind: 'confirmed'; accountId: string } | { kind: 'refused'; reason: SsoRefusal };

/**
 * Records that a user whom a provider has just authenticated owns the account that is linked to this identity; opens
 * no session, links nothing and creates nothing. A user who could not sign on, or whom the provider has
 * logged out since, cannot confirm either.
 */
export async function confirmBySso(
  deps: Pick<AccountsDeps, 'db'>,
  rules: SsoRules,
  person: SignedOnPerson,
  origin: Origin,
  keep: (tx: Transaction, owner: { accountId: string }) => Promise<unknown>,
): Promise<SsoConfirmation> {
  return inTransaction<SsoConfirmation>(deps.db, origin, async (tx) => {
    await deferLogouts(tx, rules, person);
    if (await isLoggedOut(tx, rules, person)) return { kind: 'refused', reason: 'invalid_attempt' };
    const account = await ssoIdentities.findAccount(tx, person);
    if (account === undefined || account.isService || !isAdmitted(rules, account))
      return { kind: 'refused', reason: 'not_administrator' };
    const condition = conditionOf(account);
    if (condition !== undefined) return { kind: 'refused', reason: CONDITION_CODES[condition] };
    if (requiresSecondFactor(account) && !rules.trustSecondFactor)
      return { kind: 'refused', reason: 'two_factor_required' };
    await keep(tx, { accountId: account.id });
    return { kind: 'confirmed', accountId: account.id };
  });
}
