import { CONDITION_CODES } from '@gatehouse/schema';
import {
  inTransaction,
  ssoIdentities,
  type Account,
  type Authentication,
  type Transaction,
} from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import type { OpeningDeps, Origin } from '../deps.ts';
import { requiresSecondFactor, conditionOf, type AccountCondition } from '../checks/login-status.ts';
import { openSession, type SessionOrigin, type Opening, type TokenSet } from '../session/open-and-end.ts';
import { identityDigest } from './identity-digest.ts';
import { deferLogouts, isLoggedOut, type SignedOnIdentity, type SignedOnPerson } from './provider-logouts.ts';
import {
  accountOfPerson,
  isAdmitted,
  SsoRace,
  type SsoPerson,
  type SsoRules,
  type UnlinkedReason,
} from './sso-account.ts';

/** Why a person whom a provider has authenticated is not logged in. */
export type SsoRefusal =
  | UnlinkedReason
  | (typeof CONDITION_CODES)[AccountCondition]
  | 'two_factor_required'
  | 'invalid_attempt'
  | 'session_exists';

/** The result of a sign-on. */
export type SsoLogin =
  { kind: 'opened'; tokens: TokenSet; accountId: string; sessionId: string } | SsoRefused;

/** `accountId`: the account of the person, if it is known, for the list of sign-ins. */
export interface SsoRefused {
  kind: 'refused';
  reason: SsoRefusal;
  accountId?: string | undefined;
}

/** What opening a session needs to know of the provider, which was checked when the person returned from it. */
export type OpeningRules = Pick<SsoRules, 'id' | 'trustSecondFactor' | 'isForAdministrators'>;

/**
 * Logs in a user whom an identity provider has authenticated: finds, links or creates the account and opens a session,
 * which replaces earlier ones like any login. If the account requires a second factor, the provider must be trusted
 * with it.
 */
export async function loginBySso(
  deps: OpeningDeps,
  rules: SsoRules,
  person: SignedOnPerson,
  origin: Origin & { tag?: string | undefined },
): Promise<SsoLogin> {
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const admitted = await admitBySso(deps, rules, person, origin);
    if (admitted.kind === 'refused') return admitted;
    const { account } = admitted;
    const opening = await openBySso(deps, rules, person, account, origin);
    if (opening.kind === 'opened') return { ...opening, accountId: account.id };
    // Only a code can be exchanged again, with the token that takes a session over.
    if (opening.kind === 'exists') return refusal(deps, 'session_exists', account.id);
    if (opening.kind === 'condition') return refusal(deps, CONDITION_CODES[opening.condition], account.id);
    // The account was changed meanwhile: try again with its current state.
  }
  throw new Unavailable('account');
}

/**
 * Finds, links or creates the account of a user whom an identity provider has authenticated, if a session may be opened
 * for it now.
 */
export async function admitBySso(
  deps: OpeningDeps,
  rules: SsoRules,
  person: SignedOnPerson,
  origin: Origin,
): Promise<{ kind: 'admitted'; account: Account } | SsoRefused> {
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    if (await isLoggedOut(deps.db, rules, person)) return refusal(deps, 'invalid_attempt');
    const found = await findAccount(deps, rules, person, origin);
    if (found === undefined) continue;
    if (found.kind === 'refused') return refusal(deps, found.reason, found.accountId);
    const { account } = found;
    if (account.role === 'Guest') return refusal(deps, 'guest_not_allowed', account.id);
    // Checked first: no second factor would help, and such an account may have been returned without being linked.
    const condition = conditionOf(account);
    if (condition !== undefined) return refusal(deps, CONDITION_CODES[condition], account.id);
    if (requiresSecondFactor(account) && !rules.trustSecondFactor)
      return refusal(deps, 'two_factor_required', account.id);
    return { kind: 'admitted', account };
  }
  throw new Unavailable('account');
}

/**
 * Opens the session of a person who was admitted to this account. `stale` if the account or the identity was changed
 * meanwhile, or the provider has logged the person out. `use` uses up a code in the same transaction.
 */
export function openBySso(
  deps: OpeningDeps,
  rules: OpeningRules,
  person: SignedOnIdentity,
  account: Account,
  origin: Origin & Pick<SessionOrigin, 'tag' | 'takesOver' | 'keepProof'>,
  use?: (tx: Transaction) => Promise<boolean>,
): Promise<Opening> {
  const opening = {
    ...origin,
    authentication: authenticationOf(deps, rules, person),
    ssoProvider: rules.id,
    ssoSid: person.sid,
    ssoIdentityDigest: identityDigest(person),
    lockFirst: (tx: Transaction) => deferLogouts(tx, rules, person),
  };
  const prove = async (tx: Transaction) =>
    (await isTiedStill(tx, rules, person, account.id)) && (use === undefined || (await use(tx)));
  return openSession(deps, account, opening, prove);
}

function refusal(deps: Pick<OpeningDeps, 'activity'>, reason: SsoRefusal, accountId?: string): SsoRefused {
  deps.activity.refused('sso', reason);
  return { kind: 'refused', reason, accountId };
}

/** A provider that already had a session authenticated the person some time before the sign-on. */
function authenticationOf(
  { now }: Pick<OpeningDeps, 'now'>,
  { trustSecondFactor }: OpeningRules,
  { authenticatedAtSeconds }: SignedOnIdentity,
): Authentication {
  return {
    by: trustSecondFactor ? ['sign-on', 'second-factor'] : ['sign-on'],
    ageSeconds:
      authenticatedAtSeconds === undefined ? undefined : Math.max(0, now() / 1000 - authenticatedAtSeconds),
  };
}

/**
 * Whether the account, which is locked by now, may still be used by that person: it may have been unlinked meanwhile,
 * may require a second factor for which the provider is not trusted, or may have lost its rights, or the provider has
 * logged the person out.
 */
async function isTiedStill(
  tx: Transaction,
  rules: OpeningRules,
  person: SignedOnIdentity,
  accountId: string,
): Promise<boolean> {
  const tied = await ssoIdentities.findAccount(tx, person);
  return (
    tied?.id === accountId &&
    isAdmitted(rules, tied) &&
    (rules.trustSecondFactor || !requiresSecondFactor(tied)) &&
    !(await isLoggedOut(tx, rules, person))
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
