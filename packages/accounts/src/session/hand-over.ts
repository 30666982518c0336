import { hashInvitationToken, newInvitationToken, type BrowserSession } from '@gatehouse/auth-core';
import { accounts, audit, handoverCodes, inTransaction, type Transaction } from '@gatehouse/db';
import { refusalOf } from '@gatehouse/session-cache';
import type { AccountsDeps, Origin, ThrottleDeps } from '../deps.ts';
import { withThrottle, type CheckResult, type Throttled } from '../login/attempts.ts';

type Deps = ThrottleDeps & Pick<AccountsDeps, 'sessionCache'>;

const LIFETIME_SECONDS = 60;
const CODE_FORM = /^[A-Za-z0-9_-]{43}$/;

/** A code for a session, and what keeps it: also in the transaction that opens the session. */
export function newHandover() {
  const code = newInvitationToken();
  const codeHash = hashInvitationToken(code);
  return {
    code,
    /** Gives back when it expires. */
    keep: (tx: Transaction, { accountId, sessionId }: BrowserSession): Promise<Date> =>
      handoverCodes.insert(tx, { codeHash, accountId, sessionId, lifetimeSeconds: LIFETIME_SECONDS }),
  };
}

/**
 * Creates a code that is exchanged once, within a minute, for a cookie of this session; `undefined` for a service
 * account's session, which belongs in no browser.
 */
export async function handOver(
  deps: Deps,
  session: BrowserSession,
  origin: Origin,
): Promise<{ code: string; expiresAt: Date } | undefined> {
  const { code, keep } = newHandover();
  const expiresAt = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.findById(tx, session.accountId);
    return account === undefined || account.isService ? undefined : keep(tx, session);
  });
  return expiresAt && { code, expiresAt };
}

/** Whose session a code gave, or why none; `elsewhere`: the browser is signed in as somebody else. */
export type TakenOver =
  ({ kind: 'taken' } & BrowserSession) | { kind: 'failed' } | { kind: 'elsewhere' } | Throttled;

interface ShownHandover {
  code: string;
  /** The session that the browser has, if it is to keep that: a link with somebody else's code would sign it in to theirs. */
  present: BrowserSession | undefined;
  addressGroup: string;
}

/**
 * Uses up a code and gives the session that it was made for, if that gives access now. Guesses count by address, as those
 * of other codes; a code that was good and came late is none.
 */
export async function takeOver(
  deps: Deps,
  { code, present, addressGroup }: ShownHandover,
  origin: Origin,
): Promise<TakenOver> {
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
): Promise<CheckResult<TakenOver>> {
  const kept = await handoverCodes.find(deps.db, codeHash);
  if (kept === undefined) return { counts: 'failed', outcome: { kind: 'failed' } };
  const { accountId, sessionId, isLiving } = kept;
  if (!isLiving || !(await givesAccess(deps, kept))) return LATE;
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
  return isTaken ? { counts: 'succeeded', outcome: { kind: 'taken', accountId, sessionId } } : LATE;
}

const LATE: CheckResult<{ kind: 'failed' }> = { counts: 'aborted', outcome: { kind: 'failed' } };

async function givesAccess(deps: Deps, { accountId, sessionId }: BrowserSession): Promise<boolean> {
  const reading = await deps.sessionCache.read(accountId, sessionId);
  return reading !== undefined && refusalOf(reading, deps.settings.SESSION_IDLE_SECONDS) === undefined;
}
