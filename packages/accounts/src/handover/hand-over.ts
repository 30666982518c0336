import {
  endOfCredential,
  hashInvitationToken,
  isChallengeOf,
  newInvitationToken,
  type BrowserSession,
  type Credential,
  type Refusal,
} from '@gatehouse/auth-core';
import { accounts, audit, handoverCodes, inTransaction } from '@gatehouse/db';
import type { SessionRefusal } from '@gatehouse/redis';
import type { AccountsDeps, Origin, RefreshDeps, ThrottleDeps } from '../deps.ts';
import type { CheckResult, Throttled } from '../checks/attempts.ts';
import {
  CODE_SECONDS,
  EXPIRED_CHECK,
  exchangeThrottled,
  FAILED_CHECK,
  givesAccess,
  isElsewhere,
  type ShownCode,
} from './exchange-code.ts';
import { refusalOfEnded } from '../session/refresh/refresh.ts';

type Deps = ThrottleDeps & Pick<AccountsDeps, 'sessionCache'>;

/** The app that gets the session, if it is not for the account pages. */
export interface HandoverToApp {
  /** The challenge whose verifier its server will show (RFC 7636, S256). */
  codeChallenge: string | undefined;
}

/** A code, or why there is none; `service`: a service account's session must not be used in a browser. */
export type HandOver =
  { kind: 'created'; code: string; expiresAt: Date } | { kind: 'service' } | Refusal<SessionRefusal>;

/**
 * Creates a code that can be exchanged once, within a minute, for a cookie of this session. The cookie expires with the
 * caller’s credential: otherwise a stolen access token would last as long as the session. An app's cookie expires like an access
 * token in any case. Whether the session is active is read from Postgres: a code must not outlive a session of which a
 * forged copy is in the cache.
 */
export async function handOver(
  deps: Deps & RefreshDeps,
  session: Omit<BrowserSession, 'endsAt'> & Credential,
  app: HandoverToApp | undefined,
  origin: Origin,
): Promise<HandOver> {
  const code = newInvitationToken();
  const ofCredential = endOfCredential(session);
  const ofApp = Math.floor(deps.now() / 1000) + deps.settings.ACCESS_TOKEN_SECONDS;
  const { accountId, sessionId } = session;
  const kept = {
    codeHash: hashInvitationToken(code),
    ...{ accountId, sessionId },
    endsAt: app === undefined ? ofCredential : Math.min(ofCredential ?? ofApp, ofApp),
    codeChallenge: app?.codeChallenge,
    lifetimeSeconds: CODE_SECONDS,
  };
  const expiresAt = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.findById(tx, accountId);
    return account?.isService === true ? 'service' : handoverCodes.insert(tx, kept);
  });
  if (expiresAt === 'service') return { kind: 'service' };
  return expiresAt === undefined ? refusalOfEnded(deps, sessionId) : { kind: 'created', code, expiresAt };
}

/**
 * The session that a code gave, or why it gave none. `previewed`: whose session it would give. `elsewhere`: the browser is
 * logged in with another account.
 */
export type HandoverResult =
  | ({ kind: 'taken' } & BrowserSession)
  | { kind: 'previewed'; email: string }
  | { kind: 'failed' }
  | { kind: 'elsewhere' }
  | Throttled;

interface ShownHandover extends ShownCode {
  /** The verifier of the challenge with which the code was requested. */
  codeVerifier?: string | undefined;
  /** Whether to check the code without using it up. */
  isPreview?: boolean | undefined;
  /**
   * The browser's current session, if it must be kept: a link with somebody else's code would log the browser in to
   * their account.
   */
  present: BrowserSession | undefined;
}

/**
 * Uses up a code and returns its session, if that gives access now. Wrong codes and verifiers are counted by address, like
 * codes of other kinds; a code that was valid but came too late does not count. A wrong verifier does not use up the code:
 * whoever has seen only the code cannot make it useless.
 */
export async function takeOver(deps: Deps, shown: ShownHandover, origin: Origin): Promise<HandoverResult> {
  return exchangeThrottled(deps, shown, (codeHash) => takeChecked(deps, shown, codeHash, origin));
}

async function takeChecked(
  deps: Deps,
  { codeVerifier, isPreview = false, present }: ShownHandover,
  codeHash: Buffer,
  origin: Origin,
): Promise<CheckResult<HandoverResult>> {
  const kept = await handoverCodes.find(deps.db, codeHash);
  if (kept === undefined || !isVerified(kept.codeChallenge, codeVerifier)) return FAILED_CHECK;
  const { accountId, sessionId, endsAt, isLiving } = kept;
  if (!isLiving || !(await givesAccess(deps, kept))) return EXPIRED_CHECK;
  if (await isElsewhere(deps, present, accountId))
    return { counts: 'aborted', outcome: { kind: 'elsewhere' } };
  if (isPreview) {
    const owner = await accounts.findById(deps.db, accountId);
    if (owner === undefined || owner.isService) return EXPIRED_CHECK;
    return { counts: 'aborted', outcome: { kind: 'previewed', email: owner.email } };
  }
  const isTaken = await inTransaction(deps.db, origin, async (tx) => {
    if ((await accounts.findById(tx, accountId))?.isService !== false) return false;
    if (!(await handoverCodes.use(tx, codeHash))) return false;
    const actor = { kind: 'Account', id: accountId } as const;
    const target = { kind: 'UserSession', id: sessionId } as const;
    const details = { UserId: accountId };
    await audit.append(tx, [{ action: 'session.handed-over', actor, target, details }], origin);
    return true;
  });
  return isTaken
    ? { counts: 'succeeded', outcome: { kind: 'taken', accountId, sessionId, endsAt, isHandedOver: true } }
    : EXPIRED_CHECK;
}

/**
 * A verifier without a challenge is refused, too: otherwise an app's server, which always sends one, would exchange an
 * attacker's code that was requested without (RFC 9700, section 2.1.1).
 */
function isVerified(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  return isChallengeOf(verifier, challenge);
}
