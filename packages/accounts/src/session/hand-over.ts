import {
  endOfCredential,
  hashInvitationToken,
  isChallengeOf,
  newInvitationToken,
  type BrowserSession,
  type Credential,
} from '@gatehouse/auth-core';
import { accounts, audit, handoverCodes, inTransaction, type Transaction } from '@gatehouse/db';
import { refusalOf } from '@gatehouse/session-cache';
import type { AccountsDeps, Origin, ThrottleDeps } from '../deps.ts';
import { withThrottle, type CheckResult, type Throttled } from '../login/attempts.ts';

type Deps = ThrottleDeps & Pick<AccountsDeps, 'sessionCache'>;

const LIFETIME_SECONDS = 60;
const CODE_FORM = /^[A-Za-z0-9_-]{43}$/;

/** A code for a session, and the function that stores it, also in the transaction that opens the session. */
export function newHandover({
  codeChallenge,
  isHandedOver,
}: {
  codeChallenge?: string | undefined;
  /** `false` after a sign-on in the same browser. */
  isHandedOver: boolean;
}) {
  const code = newInvitationToken();
  const codeHash = hashInvitationToken(code);
  return {
    code,
    /** Stores the code; returns when it expires. */
    keep: (tx: Transaction, { accountId, sessionId, endsAt }: BrowserSession): Promise<Date> =>
      handoverCodes.insert(tx, {
        codeHash,
        accountId,
        sessionId,
        endsAt,
        codeChallenge,
        isHandedOver,
        lifetimeSeconds: LIFETIME_SECONDS,
      }),
  };
}

/** The app that gets the session, if it is not for the account pages. */
export interface HandoverToApp {
  /** The challenge whose verifier its server will show (RFC 7636, S256). */
  codeChallenge: string | undefined;
}

/**
 * Creates a code that can be exchanged once, within a minute, for a cookie of this session. The cookie expires with the
 * caller’s credential: otherwise a stolen access token would last as long as the session. An app's cookie expires like an access
 * token in any case. `undefined` for a service account's session, which must not be used in a browser.
 */
export async function handOver(
  deps: Deps & Pick<AccountsDeps, 'now'>,
  session: Omit<BrowserSession, 'endsAt'> & Credential,
  app: HandoverToApp | undefined,
  origin: Origin,
): Promise<{ code: string; expiresAt: Date } | undefined> {
  const { code, keep } = newHandover({ codeChallenge: app?.codeChallenge, isHandedOver: true });
  const ofCredential = endOfCredential(session);
  const ofApp = Math.floor(deps.now() / 1000) + deps.settings.ACCESS_TOKEN_SECONDS;
  const endsAt = app === undefined ? ofCredential : Math.min(ofCredential ?? ofApp, ofApp);
  const expiresAt = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.findById(tx, session.accountId);
    return account === undefined || account.isService ? undefined : keep(tx, { ...session, endsAt });
  });
  return expiresAt && { code, expiresAt };
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

interface ShownHandover {
  code: string;
  /** The verifier of the challenge with which the code was requested. */
  codeVerifier?: string | undefined;
  /** Whether to check the code without using it up. */
  isPreview?: boolean | undefined;
  /**
   * The browser's current session, if it must be kept: a link with somebody else's code would log the browser in to
   * their account.
   */
  present: BrowserSession | undefined;
  addressGroup: string;
}

/**
 * Uses up a code and returns its session, if that gives access now. Wrong codes and verifiers are counted by address, like
 * codes of other kinds; a code that was valid but came too late does not count. A wrong verifier does not use up the code:
 * whoever has seen only the code cannot make it useless.
 */
export async function takeOver(deps: Deps, shown: ShownHandover, origin: Origin): Promise<HandoverResult> {
  if (!CODE_FORM.test(shown.code)) return { kind: 'failed' };
  const counted = { by: 'address', addressGroup: shown.addressGroup } as const;
  return (await withThrottle(deps, counted, () => takeChecked(deps, shown, origin))).outcome;
}

async function takeChecked(
  deps: Deps,
  { code, codeVerifier, isPreview = false, present }: ShownHandover,
  origin: Origin,
): Promise<CheckResult<HandoverResult>> {
  const codeHash = hashInvitationToken(code);
  const kept = await handoverCodes.find(deps.db, codeHash);
  if (kept === undefined || !isVerified(kept.codeChallenge, codeVerifier))
    return { counts: 'failed', outcome: { kind: 'failed' } };
  const { accountId, sessionId, endsAt, isHandedOver, isLiving } = kept;
  if (!isLiving || !(await givesAccess(deps, kept))) return EXPIRED_CHECK;
  const isElsewhere = present !== undefined && present.accountId !== accountId;
  if (isElsewhere && (await givesAccess(deps, present)))
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
    ? { counts: 'succeeded', outcome: { kind: 'taken', accountId, sessionId, endsAt, isHandedOver } }
    : EXPIRED_CHECK;
}

const EXPIRED_CHECK: CheckResult<{ kind: 'failed' }> = { counts: 'aborted', outcome: { kind: 'failed' } };

/**
 * A verifier without a challenge is refused, too: otherwise an app's server, which always sends one, would exchange an
 * attacker's code that was requested without (RFC 9700, section 2.1.1).
 */
function isVerified(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  return isChallengeOf(verifier, challenge);
}

async function givesAccess(deps: Deps, { accountId, sessionId }: BrowserSession): Promise<boolean> {
  const reading = await deps.sessionCache.read(accountId, sessionId);
  return reading !== undefined && refusalOf(reading, deps.settings.SESSION_IDLE_SECONDS) === undefined;
}
