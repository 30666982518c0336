import { hashInvitationToken, isChallengeOf, newInvitationToken, type Refusal } from '@gatehouse/auth-core';
import { accounts, inTransaction, sessionRefresh, signOnCodes, ssoIdentities } from '@gatehouse/db';
import type {
  Account,
  Authentication,
  SignOnPurpose,
  StoredSignOn,
  Transaction,
  UnlinkedIdentity,
} from '@gatehouse/db';
import type { SessionRefusal } from '@gatehouse/redis';
import { LoginStatus } from '@gatehouse/schema';
import { Unavailable, type Deadline } from '@gatehouse/runtime';
import type { OpeningDeps, Origin, RefreshDeps, ThrottleDeps } from '../deps.ts';
import { conditionOf, requiresSecondFactor, type AccountCondition } from '../checks/login-status.ts';
import { exchangeCode, type CodeExchange, type PresentedForSession } from '../handover/session-code.ts';
import { openSession, type Opening, type SessionOrigin } from '../session/open-and-end.ts';
import { TAKE_OVER_SECONDS } from '../session/slots.ts';
import { deferLogouts, identityDigest, isLoggedOut } from './provider-logouts.ts';
import type { SignedOnIdentity, SignOnRules } from './provider-logouts.ts';
import { refusalOfEnded, wasSeenSince } from '../session/refresh/refresh.ts';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { Author, WriteTransaction } from '../session/write.ts';

/** `stale` if account or identity have changed, or the provider has logged them out. `use` uses up a code with it. */
export function openBySso(
  deps: OpeningDeps,
  rules: SignOnRules,
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

export function isAdmitted(
  { isForAdministrators }: Pick<SignOnRules, 'isForAdministrators'>,
  { role }: Pick<Account, 'role'>,
): boolean {
  return isForAdministrators !== true || role === 'Admin';
}

/** A provider that already had a session authenticated the person some time before the sign-on. */
function authenticationOf(
  { now }: Pick<OpeningDeps, 'now'>,
  { trustSecondFactor }: SignOnRules,
  { authenticatedAtSeconds }: SignedOnIdentity,
): Authentication {
  return {
    by: trustSecondFactor ? ['sign-on', 'second-factor'] : ['sign-on'],
    ageSeconds:
      authenticatedAtSeconds === undefined ? undefined : Math.max(0, now() / 1000 - authenticatedAtSeconds),
  };
}

/**
 * Under the account's lock: it may have been unlinked, require a second factor for which the provider is not trusted,
 * have lost its rights, or the provider may have logged the person out.
 */
async function isTiedStill(tx: Transaction, rules: SignOnRules, person: SignedOnIdentity, accountId: string) {
  const tied = await ssoIdentities.findAccount(tx, person);
  return (
    tied?.id === accountId &&
    isAdmitted(rules, tied) &&
    (rules.trustSecondFactor || !requiresSecondFactor(tied)) &&
    !(await isLoggedOut(tx, rules, person))
  );
}

/** Distinguishes these codes from those that hand over a session. */
const PREFIX = 'sso_';

export function isSignOnCode(code: string): boolean {
  return code.startsWith(PREFIX);
}

export function newSignOnCode(): { code: string; codeHash: Buffer } {
  const code = newInvitationToken();
  return { code: PREFIX + code, codeHash: hashInvitationToken(code) };
}

/** Opens the session of a sign-on for the page that presents its code, or only says whose session it would be. */
export async function takeSignOn(
  deps: OpeningDeps & ThrottleDeps,
  { purpose, ...presented }: PresentedForSession & { purpose: 'pages' | 'console' },
  origin: Origin,
): Promise<CodeExchange> {
  if (!isSignOnCode(presented.code)) return { kind: 'failed' };
  return exchangeCode(
    deps,
    { ...presented, code: presented.code.slice(PREFIX.length) },
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

/** For apps. Not throttled: codes are too long to guess, and an app has one address. Wrong verifiers use up no code. */
export async function exchangeSignOn(
  deps: OpeningDeps,
  { provider, code, codeVerifier }: { provider: string; code: string; codeVerifier: string },
  origin: Origin,
): Promise<Opening> {
  if (!isSignOnCode(code)) return STALE;
  const codeHash = hashInvitationToken(code.slice(PREFIX.length));
  const signOn = await signOnCodes.find(deps.db, codeHash, 'app');
  if (signOn?.isValid !== true || signOn.provider !== provider) return STALE;
  if (!isChallengeOf(codeVerifier, signOn.codeChallenge ?? '')) return STALE;
  return open(deps, signOn, 'app', codeHash, origin);
}

const STALE = { kind: 'stale' } as const;

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
  if (account === undefined || isOther) return STALE;
  const origin = {
    ...{ traceId, dueAt, address, userAgent },
    tag: sessionTag,
    takesOver: passwordVersion !== undefined,
    keepProof: (tx: Transaction, owner: Account) => continueSignOn(tx, codeHash, owner),
  };
  const opening = await openBySso(deps, rules, person, account, origin, (tx) =>
    signOnCodes.use(tx, { codeHash }),
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
  const { code, codeHash: tokenHash } = newSignOnCode();
  await signOnCodes.continueWith(tx, {
    codeHash,
    tokenHash,
    passwordVersion: owner.passwordVersion,
    lifetimeSeconds: TAKE_OVER_SECONDS,
  });
  return code;
}

type SsoRenewal =
  | { kind: 'renewed'; token: string }
  | Refusal<SessionRefusal | 'token_invalid'>
  | { kind: 'condition'; condition: PendingCondition };

/** The conditions except disabled and expired, which are returned as refusals of the session. */
type PendingCondition = Exclude<
  AccountCondition,
  typeof LoginStatus.IsDisabled | typeof LoginStatus.IsExpired
>;

/**
 * A new access token for a session of this provider's sign-on. The refresh token stays the same (docs/sso.md), so reuse
 * shows no theft. Postgres decides, as for `refresh`.
 */
export async function renewSso(
  deps: RefreshDeps,
  { provider, refreshToken }: { provider: string; refreshToken: string },
  deadline: Deadline,
): Promise<SsoRenewal> {
  const { db, sessionCache, refreshTokens, settings, tokens } = deps;
  const read = refreshTokens.read(refreshToken);
  if (read === undefined) return { kind: 'refused', code: 'token_invalid' };
  const { sessionId } = read;
  const attempt = { ...read, provider, idleSeconds: settings.SESSION_IDLE_SECONDS };
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const renewed = await inTransaction(db, deadline, (tx) => sessionRefresh.renewSso(tx, attempt));
    if (renewed !== undefined) {
      const { accountId, role } = renewed;
      const signed = tokens.sign({ accountId, sessionId, role });
      const [{ token }] = await Promise.all([signed, sessionCache.keepAlive(accountId, sessionId)]);
      return { kind: 'renewed', token };
    }
    const state = await sessionRefresh.findRefreshState(db, { ...attempt, graceSeconds: 0 });
    if (state?.ssoProvider !== provider || !state.current.equals(read.nonce))
      return { kind: 'refused', code: 'token_invalid' };
    const account = await accounts.findById(db, state.accountId);
    const condition = account === undefined ? undefined : conditionOf(account);
    if (condition === LoginStatus.IsDisabled) return { kind: 'refused', code: 'session_deactivated' };
    if (condition === LoginStatus.IsExpired) return { kind: 'refused', code: 'session_expired' };
    if (state.isEnded) return refusalOfEnded(deps, sessionId);
    if (condition !== undefined) return { kind: 'condition', condition };
    if (state.isLapsed && !(await wasSeenSince(deps, state, sessionId, deadline)))
      return { kind: 'refused', code: 'session_expired' };
    // The session is valid by now, because it was seen. Try again.
  }
  throw new Unavailable('session');
}

const LOOKS_MAX = 3;

export function reportLostGroups(
  tx: WriteTransaction,
  accountId: string,
  { provider, hadGroups }: UnlinkedIdentity,
  { actor, origin }: Author,
): void {
  if (!hadGroups) return;
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  tx.audit('account.changed', { Groups: [], Provider: provider }, { kind: 'Account', id: accountId });
  tx.event(...accountUpdated(accountId, ['Groups'], { changedBy, origin }));
}
