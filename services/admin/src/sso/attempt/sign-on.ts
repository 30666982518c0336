import {
  CODE_SECONDS,
  conditionOf,
  isLoggedOut,
  newSignOnCode,
  openBySso,
  requiresSecondFactor,
  write,
} from '@gatehouse/accounts';
import type { AccountCondition, AccountsDeps, Origin, SignedOnIdentity, TokenSet } from '@gatehouse/accounts';
import { signOnCodes, type Account } from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import { CONDITION_CODES } from '@gatehouse/schema';
import { accountOfPerson, type UnlinkedReason } from './account-of-person.ts';
import { SsoRace, type SsoPerson, type SsoRules } from './sso-rules.ts';

export type SignedOnPerson = SsoPerson & SignedOnIdentity;

export type SsoRefusal =
  | UnlinkedReason
  | (typeof CONDITION_CODES)[AccountCondition]
  | 'two_factor_required'
  | 'invalid_attempt'
  | 'session_exists';

/** `accountId`: the account of the person, if it is known, for the list of sign-ins. */
export interface SsoRefused {
  kind: 'refused';
  reason: SsoRefusal;
  accountId?: string | undefined;
}

/**
 * Logs in a user whom an identity provider has authenticated: finds, links or creates the account and opens a session,
 * which replaces earlier ones like any login. If the account requires a second factor, the provider must be trusted
 * with it.
 */
export async function loginBySso(
  deps: AccountsDeps,
  rules: SsoRules,
  person: SignedOnPerson,
  origin: Origin & { tag?: string | undefined },
): Promise<{ kind: 'opened'; tokens: TokenSet; accountId: string; sessionId: string } | SsoRefused> {
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

/** Finds, links or creates the account of a user whom a provider has authenticated, if a session may be opened now. */
export async function admitBySso(
  deps: AccountsDeps,
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

/** Who will exchange a code: an app presents the verifier of its challenge (RFC 7636, S256). */
export type SignOnUse =
  { purpose: 'pages' | 'console'; codeChallenge?: undefined } | { purpose: 'app'; codeChallenge: string };

/**
 * Finds, links or creates the account of a user whom an identity provider has authenticated, and creates a single-use
 * code, valid for a minute. The session opens when the code is exchanged: any page can send a browser through a sign-on,
 * and must not replace a session by that.
 */
export async function codeBySso(
  deps: AccountsDeps,
  rules: SsoRules,
  person: SignedOnPerson & { expiresAtSeconds: number },
  { purpose, codeChallenge, sessionTag }: SignOnUse & { sessionTag?: string | undefined },
  origin: Origin,
): Promise<{ kind: 'kept'; code: string; accountId: string } | SsoRefused> {
  const admitted = await admitBySso(deps, rules, person, origin);
  if (admitted.kind === 'refused') return admitted;
  const { code, codeHash } = newSignOnCode();
  const signOn = {
    codeHash,
    purpose,
    codeChallenge,
    accountId: admitted.account.id,
    provider: rules.id,
    issuer: person.issuer,
    subject: person.subject,
    sid: person.sid,
    trustsSecondFactor: rules.trustSecondFactor,
    authenticatedAtSeconds: person.authenticatedAtSeconds,
    attemptExpiresAtSeconds: person.expiresAtSeconds,
    address: origin.address,
    userAgent: origin.userAgent,
    sessionTag,
    lifetimeSeconds: CODE_SECONDS,
  };
  await write(deps, { actor: SYSTEM, origin }, (tx) => signOnCodes.insert(tx, signOn));
  return { kind: 'kept', code, accountId: signOn.accountId };
}

function refusal(deps: Pick<AccountsDeps, 'activity'>, reason: SsoRefusal, accountId?: string): SsoRefused {
  deps.activity.refused('sso', reason);
  return { kind: 'refused', reason, accountId };
}

const LOOKS_MAX = 4;
const SYSTEM = { kind: 'System' } as const;

async function findAccount(deps: AccountsDeps, rules: SsoRules, person: SsoPerson, origin: Origin) {
  try {
    return await write(deps, { actor: SYSTEM, origin }, (tx) =>
      accountOfPerson(deps, tx, rules, person, origin),
    );
  } catch (error) {
    if (error instanceof SsoRace) return undefined;
    throw error;
  }
}
