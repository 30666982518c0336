import { hashInvitationToken, type BrowserSession } from '@gatehouse/auth-core';
import { accounts, type Account, type SessionCode, type Transaction } from '@gatehouse/db';
import type { AccountsDeps, Origin, SessionDeps, ThrottleDeps } from '../deps.ts';
import { FAILED_CHECK, withAddressThrottle, type CheckResult, type Throttled } from '../checks/attempts.ts';
import type { SessionExists } from '../session/open-and-end.ts';
import { readActive } from '../session/presence.ts';
import { write } from '../session/write.ts';

export const CODE_SECONDS = 60;

const CODE_FORM = /^[A-Za-z0-9_-]{43}$/;

export interface PresentedCode {
  code: string;
  addressGroup: string;
}

export interface PresentedForSession extends PresentedCode {
  /** Whether to check the code without using it up. */
  isPreview?: boolean | undefined;
  /** The browser's session, if it must be kept: a link with somebody else's code would log it in to their account. */
  present: BrowserSession | undefined;
}

/** `previewed`: whose session it would give. `elsewhere`: the browser is logged in with another account. */
export type CodeExchange =
  | ({ kind: 'taken' } & BrowserSession)
  | { kind: 'previewed'; email: string }
  | { kind: 'elsewhere' }
  | { kind: 'failed' }
  | SessionExists
  | Throttled;

type Deps = ThrottleDeps & Pick<AccountsDeps, 'sessionCache'>;

/**
 * Exchanges a code for a session: one that there is already (a hand-over), or one that `open` opens (a sign-on, an accepted
 * invitation). `find` returns `undefined` for a code that is wrong, which is counted; one that came too late is not `isValid`.
 */
export function exchangeCode<C extends { accountId: string; isValid: boolean }>(
  deps: Deps,
  { isPreview = false, present, ...presented }: PresentedForSession,
  of: {
    find: (codeHash: Buffer) => Promise<C | undefined>;
    /** Uses up the code; `undefined` if it is no longer valid. */
    open: (code: C, codeHash: Buffer) => Promise<BrowserSession | SessionExists | undefined>;
  },
): Promise<CodeExchange> {
  return exchangeThrottled<CodeExchange>(deps, presented, async (codeHash) => {
    const code = await of.find(codeHash);
    if (code === undefined) return FAILED_CHECK;
    if (!code.isValid) return EXPIRED_CHECK;
    // A code never replaces another account's valid session by itself: a link with somebody else's code would make the user
    // continue in that person's account.
    if (present !== undefined && present.accountId !== code.accountId && (await readActive(deps, present)))
      return { counts: 'aborted', outcome: { kind: 'elsewhere' } };
    if (isPreview) {
      const owner = await accounts.findById(deps.db, code.accountId);
      if (owner === undefined || owner.isService) return EXPIRED_CHECK;
      return { counts: 'aborted', outcome: { kind: 'previewed', email: owner.email } };
    }
    const opened = await of.open(code, codeHash);
    if (opened === undefined) return EXPIRED_CHECK;
    return { counts: 'succeeded', outcome: 'kind' in opened ? opened : { kind: 'taken', ...opened } };
  });
}

/** A code with its session; it is valid if that gives access now. */
export async function ofActiveSession(
  deps: Pick<AccountsDeps, 'sessionCache' | 'settings'>,
  { accountId, sessionId, endsAt, isValid }: SessionCode,
) {
  if (sessionId === null) return undefined;
  const session = { accountId, sessionId, endsAt: endsAt ?? undefined, isHandedOver: true };
  return { accountId, session, isValid: isValid && (await readActive(deps, session)) !== undefined };
}

/** Uses up the code, if its account is admitted, and records that the session was handed over. */
export async function handedOver(
  deps: SessionDeps,
  session: BrowserSession,
  origin: Origin,
  by: { admits: (account: Account | undefined) => boolean; use: (tx: Transaction) => Promise<boolean> },
): Promise<BrowserSession | undefined> {
  const { accountId, sessionId } = session;
  const target = { kind: 'UserSession', id: sessionId } as const;
  return write(deps, { actor: { kind: 'Account', id: accountId }, origin, target }, async (tx) => {
    if (!by.admits(await accounts.findById(tx, accountId)) || !(await by.use(tx))) return undefined;
    tx.audit('session.handed-over', { UserId: accountId });
    return session;
  });
}

/** Wrong codes are counted by address; one that was valid but came too late is not. */
export async function exchangeThrottled<Outcome>(
  deps: ThrottleDeps,
  { code, addressGroup }: PresentedCode,
  take: (codeHash: Buffer) => Promise<CheckResult<Outcome | { kind: 'failed' }>>,
): Promise<Outcome | { kind: 'failed' } | Throttled> {
  if (!CODE_FORM.test(code)) return { kind: 'failed' };
  return withAddressThrottle(deps, { addressGroup }, () => take(hashInvitationToken(code)));
}

export const EXPIRED_CHECK: CheckResult<{ kind: 'failed' }> = {
  counts: 'aborted',
  outcome: { kind: 'failed' },
};
