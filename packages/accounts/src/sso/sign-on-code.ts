import { hashInvitationToken, isChallengeOf, newInvitationToken } from '@gatehouse/auth-core';
import {
  accounts,
  inTransaction,
  signOnCodes,
  type Account,
  type StoredSignOn,
  type SignOnPurpose,
  type Transaction,
} from '@gatehouse/db';
import type { OpeningDeps, Origin, ThrottleDeps } from '../deps.ts';
import type { AccountCondition } from '../checks/login-status.ts';
import {
  CODE_SECONDS,
  exchangeCode,
  type CodeExchange,
  type PresentedForSession,
} from '../handover/session-code.ts';
import type { Opening, SessionExists } from '../session/open-and-end.ts';
import { TAKE_OVER_SECONDS } from '../session/slots/keep-login.ts';
import type { SignedOnPerson } from './provider-logouts.ts';
import type { SsoRules } from './sso-account.ts';
import { admitBySso, openBySso, type SsoRefused } from './sso-login.ts';

/** Distinguishes these codes from those that hand over a session. */
const PREFIX = 'sso_';

/** Whether this is the code of a sign-on, valid or not. */
export function isSignOnCode(code: string): boolean {
  return code.startsWith(PREFIX);
}

/** Who will exchange a code: an app presents the verifier of its challenge (RFC 7636, S256). */
export type SignOnUse =
  { purpose: 'pages' | 'console'; codeChallenge?: undefined } | { purpose: 'app'; codeChallenge: string };

/** The result of a sign-on that gives a code. */
export type SsoCode = { kind: 'kept'; code: string; accountId: string } | SsoRefused;

/**
 * Finds, links or creates the account of a user whom an identity provider has authenticated, and creates a single-use
 * code, valid for a minute. The session opens when the code is exchanged: any page can send a browser through a sign-on,
 * and must not replace a session by that.
 */
export async function codeBySso(
  deps: OpeningDeps,
  rules: SsoRules,
  person: SignedOnPerson & { expiresAtSeconds: number },
  { purpose, codeChallenge, sessionTag }: SignOnUse & { sessionTag?: string | undefined },
  origin: Origin,
): Promise<SsoCode> {
  const admitted = await admitBySso(deps, rules, person, origin);
  if (admitted.kind === 'refused') return admitted;
  const code = newInvitationToken();
  const signOn = {
    codeHash: hashInvitationToken(code),
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
  await inTransaction(deps.db, origin, (tx) => signOnCodes.insert(tx, signOn));
  return { kind: 'kept', code: PREFIX + code, accountId: signOn.accountId };
}

/** Opens the session of a sign-on for the page that presents its code, or only says whose session it would be. */
export async function takeSignOn(
  deps: OpeningDeps & ThrottleDeps,
  { purpose, ...presented }: PresentedForSession & { purpose: 'pages' | 'console' },
  origin: Origin,
): Promise<CodeExchange> {
  if (!isSignOnCode(presented.code)) return { kind: 'failed' };
  const code = presented.code.slice(PREFIX.length);
  return exchangeCode(
    deps,
    { ...presented, code },
    {
      find: (codeHash) => signOnCodes.find(deps.db, codeHash, purpose),
      open: async (signOn, codeHash) => {
        const opening = await open(deps, signOn, purpose, codeHash, origin);
        if (opening.kind === 'exists') return opening;
        if (opening.kind !== 'opened') return undefined;
        return { accountId: signOn.accountId, sessionId: opening.sessionId };
      },
    },
  );
}

/** The tokens of a sign-on for an app, or why there are none. */
export type SignOnTokens =
  | { kind: 'opened'; token: string; refreshToken: string }
  | { kind: 'condition'; condition: AccountCondition }
  | SessionExists
  | { kind: 'failed' };

/**
 * Opens the session of a sign-on for the app that began it. Not throttled: codes are too long to guess, and all users of
 * an app have its server's address. A wrong verifier does not use up the code.
 */
export async function exchangeSignOn(
  deps: OpeningDeps,
  { provider, code, codeVerifier }: { provider: string; code: string; codeVerifier: string },
  origin: Origin,
): Promise<SignOnTokens> {
  if (!isSignOnCode(code)) return { kind: 'failed' };
  const codeHash = hashInvitationToken(code.slice(PREFIX.length));
  const signOn = await signOnCodes.find(deps.db, codeHash, 'app');
  if (signOn?.isValid !== true || signOn.provider !== provider) return { kind: 'failed' };
  if (!isChallengeOf(codeVerifier, signOn.codeChallenge ?? '')) return { kind: 'failed' };
  const opening = await open(deps, signOn, 'app', codeHash, origin);
  switch (opening.kind) {
    case 'opened': {
      const { Token, RefreshToken } = opening.tokens;
      return { kind: 'opened', token: Token, refreshToken: RefreshToken };
    }
    case 'condition':
    case 'exists':
      return opening;
    case 'stale':
      return { kind: 'failed' };
  }
}

/**
 * Opens the session with the browser's address and user agent: an app's server may exchange the code. If every slot is
 * taken, a token stands for the code, which is used up: it is exchanged like the code, and takes over a slot.
 */
async function open(
  deps: OpeningDeps,
  { provider, trustsSecondFactor, address, userAgent, sessionTag, passwordVersion, ...signOn }: StoredSignOn,
  purpose: SignOnPurpose,
  codeHash: Buffer,
  { traceId, dueAt }: Origin,
): Promise<Opening> {
  const rules = {
    id: provider,
    trustSecondFactor: trustsSecondFactor,
    isForAdministrators: purpose === 'console',
  };
  const person = { ...signOn, expiresAtSeconds: signOn.attemptExpiresAtSeconds };
  const account = await accounts.findById(deps.db, signOn.accountId);
  const isOther = passwordVersion !== undefined && passwordVersion !== account?.passwordVersion;
  if (account === undefined || isOther) return { kind: 'stale' };
  const origin = {
    ...{ traceId, dueAt, address, userAgent },
    tag: sessionTag,
    takesOver: passwordVersion !== undefined,
    keepProof: (tx: Transaction, owner: Account) => continueSignOn(tx, codeHash, owner),
  };
  const opening = await openBySso(deps, rules, person, account, origin, (tx) =>
    signOnCodes.use(tx, codeHash),
  );
  if (opening.kind === 'exists') {
    deps.activity.refused('sso', 'session_exists');
    const attempt = {
      accountId: account.id,
      method: 'SignOn',
      provider,
      address,
      userAgent,
      traceId,
    } as const;
    deps.signIns.refused(attempt, 'session_exists');
  }
  return opening;
}

async function continueSignOn(tx: Transaction, codeHash: Buffer, owner: Account): Promise<string> {
  const token = newInvitationToken();
  await signOnCodes.continueWith(tx, codeHash, {
    tokenHash: hashInvitationToken(token),
    passwordVersion: owner.passwordVersion,
    lifetimeSeconds: TAKE_OVER_SECONDS,
  });
  return PREFIX + token;
}
