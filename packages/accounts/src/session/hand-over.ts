import {
  endOfCredential,
  hashInvitationToken,
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
export function newHandover() {
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
        lifetimeSeconds: LIFETIME_SECONDS,
      }),
  };
}

/**
 * Creates a code that can be exchanged once, within a minute, for a cookie of this session. The cookie expires with the
 * caller’s credential: otherwise a stolen access token would last as long as the session. `undefined` for a service account's
 * session, which must not be used in a browser.
 */
export async function handOver(
  deps: Deps,
  session: Omit<BrowserSession, 'endsAt'> & Credential,
  origin: Origin,
): Promise<{ code: string; expiresAt: Date } | undefined> {
  const { code, keep } = newHandover();
  const expiresAt = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.findById(tx, session.accountId);
    return account === undefined || account.isService
      ? undefined
      : keep(tx, { ...session, endsAt: endOfCredential(session) });
  });
  return expiresAt && { code, expiresAt };
}

/** The session that a code gave, or why it gave none; `elsewhere`: the browser is logged in with another account. */
export type HandoverResult =
  ({ kind: 'taken' } & BrowserSession) | { kind: 'failed' } | { kind: 'elsewhere' } | Throttled;

interface ShownHandover {
  code: string;
  /**
   * The browser's current session, if it must be kept: a link with somebody else's code would log the browser in to
   * their account.
   */
  present: BrowserSession | undefined;
  addressGroup: string;
}

/**
 * Uses up a code and returns its session, if that gives access now. Wrong codes are counted by address, like those of
 * other kinds; a code that was valid but came too late does not count.
 */
export async function takeOver(
  deps: Deps,
  { code, present, addressGroup }: ShownHandover,
  origin: Origin,
): Promise<HandoverResult> {
  if (!CODE_FORM.test(code)) return { kind: 'failed' };
  const codeHash = hashInvitationToken(code);
  const counted = { by: 'address', addressGroup } as const;
  return (await withThrottle(deps, counted, () => takeChecked(deps, codeHash, present, origin))).outcome;
}

async function takeChecked(
  deps: Deps,
  codeHash: Buffer,
  present: BrowserSession | undefined,
  origin: Origin,
): Promise<CheckResult<HandoverResult>> {
  const kept = await handoverCodes.find(deps.db, codeHash);
  if (kept === undefined) return { counts: 'failed', outcome: { kind: 'failed' } };
  const { accountId, sessionId, endsAt, isLiving } = kept;
  if (!isLiving || !(await givesAccess(deps, kept))) return EXPIRED_CHECK;
  const isElsewhere = present !== undefined && present.accountId !== accountId;
  if (isElsewhere && (await givesAccess(deps, present)))
    return { counts: 'aborted', outcome: { kind: 'elsewhere' } };
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
    ? { counts: 'succeeded', outcome: { kind: 'taken', accountId, sessionId, endsAt } }
    : EXPIRED_CHECK;
}

const EXPIRED_CHECK: CheckResult<{ kind: 'failed' }> = { counts: 'aborted', outcome: { kind: 'failed' } };

async function givesAccess(deps: Deps, { accountId, sessionId }: BrowserSession): Promise<boolean> {
  const reading = await deps.sessionCache.read(accountId, sessionId);
  return reading !== undefined && refusalOf(reading, deps.settings.SESSION_IDLE_SECONDS) === undefined;
}
