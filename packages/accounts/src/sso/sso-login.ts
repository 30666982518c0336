import { CONDITION_CODES } from '@gatehouse/schema';
import { inTransaction, ssoIdentities, type Transaction } from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import type { OpeningDeps, Origin } from '../deps.ts';
import { asksForSecondFactor, conditionOf, type AccountCondition } from '../login/login-status.ts';
import { openSession, type BesideOpening, type TokenSet } from '../session/sessions.ts';
import {
  accountOfPerson,
  isAdmitted,
  SsoRace,
  type SsoPerson,
  type SsoRules,
  type UntiedReason,
} from './sso-account.ts';

/** Why somebody whom a provider has recognised is not signed in. */
export type SsoRefusal = UntiedReason | (typeof CONDITION_CODES)[AccountCondition] | 'two_factor_required';

/** How a sign-on ended. */
export type SsoLogin =
  | { kind: 'opened'; tokens: TokenSet; accountId: string; sessionId: string }
  | { kind: 'refused'; reason: SsoRefusal };

/**
 * Signs in somebody whom an identity provider has recognised: finds, ties or makes their account and opens a
 * session, which replaces every earlier one as any login does. An account that asks for a second factor is signed
 * in to only by a provider that is trusted with it. `beside`: as in `openSession`.
 */
export async function loginBySso(
  deps: OpeningDeps,
  rules: SsoRules,
  person: SsoPerson,
  origin: Origin,
  beside?: BesideOpening,
): Promise<SsoLogin> {
  const login = await signIn(deps, rules, person, origin, beside);
  if (login.kind === 'refused') deps.activity.refused('sso', login.reason);
  return login;
}

async function signIn(
  deps: OpeningDeps,
  rules: SsoRules,
  person: SsoPerson,
  origin: Origin,
  beside: BesideOpening | undefined,
): Promise<SsoLogin> {
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const found = await findAccount(deps, rules, person, origin);
    if (found === undefined) continue;
    if (found.kind === 'refused') return found;
    const { account } = found;
    if (account.role === 'Guest') return { kind: 'refused', reason: 'guest_not_allowed' };
    // First: no second factor would help, and such an account may have come without being tied.
    const condition = conditionOf(account);
    if (condition !== undefined) return { kind: 'refused', reason: CONDITION_CODES[condition] };
    if (asksForSecondFactor(account) && !rules.trustSecondFactor)
      return { kind: 'refused', reason: 'two_factor_required' };
    const opening = await openSession(
      deps,
      account,
      { ...origin, ssoProvider: rules.id },
      (tx) => isTiedStill(tx, rules, person, account.id),
      beside,
    );
    if (opening.kind === 'opened') return { ...opening, accountId: account.id };
    if (opening.kind === 'condition') return { kind: 'refused', reason: CONDITION_CODES[opening.condition] };
    // The account was changed meanwhile: what holds now decides.
  }
  throw new Unavailable('account');
}

/**
 * Whether the account, which is locked by now, is that person's as before: it may have been untied meanwhile, or ask for
 * a second factor that the provider does not stand in for, or have lost its rights.
 */
async function isTiedStill(
  tx: Transaction,
  rules: SsoRules,
  person: SsoPerson,
  accountId: string,
): Promise<boolean> {
  const tied = await ssoIdentities.findAccount(tx, person);
  return (
    tied?.id === accountId &&
    isAdmitted(rules, tied) &&
    (rules.trustSecondFactor || !asksForSecondFactor(tied))
  );
}

const LOOKS_MAX = 4;

async function findAccount(deps: OpeningDeps, rules: SsoRules, person: SsoPerson, origin: Origin) {
  try {
    const found = await inTransaction(deps.db, origin, (tx) =>
      accountOfPerson(deps, tx, rules, person, origin),
    );
    deps.relay.wake();
    return found;
  } catch (error) {
    if (error instanceof SsoRace) return undefined;
    throw error;
  }
}
