import type { BrowserSession, Caller, Replacement } from '@gatehouse/auth-core';
import { pingStatusOf } from '@gatehouse/session-cache';
import { SessionStatus, type PingStatus } from '@gatehouse/schema';
import {
  accounts,
  inTransaction,
  outbox,
  twoFactor,
  userSessions,
  type Account,
  type SessionState,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';
import { LOGOUT, cachedSessionOf } from './session-source.ts';
import { countOnCommit } from '../statistics/count-on-commit.ts';
import { conditionOf, type AccountCondition } from '../login/login-status.ts';
import { noticeNewDevice } from '../login/new-device.ts';

/** What a login or a refresh gives. */
export interface TokenSet {
  Token: string;
  RefreshToken: string;
  ExpirationSeconds: number;
}

/** How an opening ended; `stale`: what was checked (account, password, second factor) no longer holds. */
export type Opening = { tokens: TokenSet; sessionId: string } | Refused;
type Refused = { condition: AccountCondition } | { stale: true };
type LoginOrigin = Origin & {
  deviceName?: string | undefined;
  /** The identity provider that recognised the owner. */
  ssoProvider?: string | undefined;
};
/** What is kept with a new session, in the transaction that opens it. */
export type BesideOpening = (tx: Transaction, session: BrowserSession) => Promise<unknown>;
type Opened = { account: Account; states: SessionState[] };

/**
 * Opens a session for an account whose owner has just been recognised. Under single-session enforcement every
 * earlier session ends as `SessionReplaced` in the same transaction; the lock on the account makes racing
 * logins take turns, and the partial unique index makes two active sessions impossible.
 *
 * `prove` uses up the second factor that the owner was recognised by, in the same transaction; `false`, which
 * undoes all of it, when that was used already. Without it, an account that asks for one by now is `stale`.
 * `beside` keeps with the session what goes with it: both are there, or neither.
 */
export async function openSession(
  deps: AccountsDeps,
  recognised: Account,
  origin: LoginOrigin,
  prove?: (tx: Transaction) => Promise<boolean>,
  beside?: BesideOpening,
): Promise<Opening> {
  const { db, sessionCache, tokens, refreshTokens, settings } = deps;
  const sessionId = newId();
  const [refreshCurrent, refreshNext] = [refreshTokens.newNonce(), refreshTokens.newNonce()];

  const opened = await inTransaction(db, origin, async (tx): Promise<Refused | Opened> => {
    const account = await accounts.lockById(tx, recognised.id);
    if (account?.passwordVersion !== recognised.passwordVersion) return { stale: true };
    const condition = conditionOf(account);
    if (condition !== undefined) return { condition };
    const isProved = prove === undefined ? !(await wantsSecondFactor(tx, account)) : await prove(tx);
    if (!isProved) throw new NotProved();
    const added = await addSession(deps, tx, account, { id: sessionId, refreshCurrent, refreshNext }, origin);
    await beside?.(tx, { accountId: account.id, sessionId });
    return added;
  }).catch((error: unknown): Refused => {
    if (error instanceof NotProved) return { stale: true };
    throw error;
  });
  if (!('states' in opened)) return opened;

  deps.relay.wake();
  await sessionCache.write(opened.states.map(cachedSessionOf));
  const { id: accountId, role } = opened.account;
  const { token } = await tokens.sign({ accountId, sessionId, role });
  return {
    sessionId,
    tokens: {
      Token: token,
      RefreshToken: refreshTokens.issue(sessionId, refreshCurrent),
      ExpirationSeconds: settings.ACCESS_TOKEN_SECONDS,
    },
  };
}

/** Rolls back what `prove` has used up by then: a login that fails costs no code. */
class NotProved extends Error {}

/** Read anew under the account's lock: the row that was locked may have been selected before a change. */
async function wantsSecondFactor(tx: Transaction, account: Account): Promise<boolean> {
  return account.isTwoFactorRequired || (await twoFactor.find(tx, account.id))?.isEnabled === true;
}

/** Ends what a login replaces and adds its session, with all that others are told of it. */
async function addSession(
  deps: AccountsDeps,
  tx: Transaction,
  account: Account,
  fresh: Pick<userSessions.NewSession, 'id' | 'refreshCurrent' | 'refreshNext'>,
  origin: LoginOrigin,
): Promise<Opened> {
  const { settings } = deps;
  const status = account.role === 'Guest' ? SessionStatus.SharedAccess : SessionStatus.Normal;
  const ended = settings.SINGLE_SESSION
    ? await endSessions(deps, tx, { accountId: account.id }, REPLACED, origin)
    : [];
  await noticeNewDevice(deps, tx, account, fresh.id, origin);
  const { ssoProvider } = origin;
  countOnCommit(deps, tx, ssoProvider === undefined ? 'login.password' : `login.sso.${ssoProvider}`);
  await userSessions.insert(
    tx,
    {
      ...fresh,
      accountId: account.id,
      status,
      isExclusive: settings.SINGLE_SESSION,
      ssoProvider,
      deviceName: origin.deviceName,
      userAgent: origin.userAgent,
      ipAddress: origin.address,
      lifetimeSeconds: settings.SESSION_MAX_SECONDS,
    },
    { tokenSeconds: settings.ACCESS_TOKEN_SECONDS, reason: 'login' },
  );
  await accounts.markLogin(tx, account.id);
  const started = { UserId: account.id, SessionId: fresh.id, Status: status };
  await outbox.add(tx, [newEvent('session.started', started, origin)]);
  return { account, states: await userSessions.findStates(tx, [...ended, fresh.id]) };
}

const REPLACED = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy: undefined };

/**
 * Ends active sessions within a transaction, with their history and events. Publish the ids that it returns
 * with `publishSessions` after the commit: that is when the end holds everywhere.
 */
export async function endSessions(
  deps: AccountsDeps,
  tx: Transaction,
  target: userSessions.Target,
  change: { status: SessionStatus; reason: string; changedBy: string | undefined },
  origin: Pick<Origin, 'traceId'> | undefined,
): Promise<string[]> {
  const { settings } = deps;
  const ended = await userSessions.end(tx, target, change, {
    tokenSeconds: settings.ACCESS_TOKEN_SECONDS,
    idleSeconds: settings.SESSION_IDLE_SECONDS + lastSeenDelaySeconds(settings.SESSION_IDLE_SECONDS),
    expiredStatus: SessionStatus.Expired,
  });
  const events = ended.map((session): AnyEvent =>
    newEvent(
      'session.ended',
      { SessionId: session.id, UserId: session.accountId, Status: session.status, Reason: session.endReason },
      { traceId: origin?.traceId },
    ),
  );
  await outbox.add(tx, events);
  for (const { endReason } of ended) countOnCommit(deps, tx, `session.${endReason}`);
  return ended.map((session) => session.id);
}

/** Makes committed changes of sessions hold on every service. */
export async function publishSessions(deps: AccountsDeps, sessionIds: readonly string[]): Promise<void> {
  deps.relay.wake();
  if (sessionIds.length === 0) return;
  await deps.sessionCache.write((await userSessions.findStates(deps.db, sessionIds)).map(cachedSessionOf));
}

/**
 * Ends a session at its owner's wish; `false` when the account has no such session that has not ended. `record`
 * writes more of it down in the same transaction.
 */
export async function logout(
  deps: AccountsDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  origin: Origin,
  record?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  const change = { status: SessionStatus.Expired, reason: LOGOUT, changedBy: accountId };
  const target = { sessionId, ofAccountId: accountId };
  const ended = await inTransaction(deps.db, origin, async (tx) => {
    const ids = await endSessions(deps, tx, target, change, origin);
    if (ids.length > 0) await record?.(tx);
    return ids;
  });
  await publishSessions(deps, ended);
  return ended.length > 0;
}

/** What a client is told, and which login replaced its session if one did. */
interface Pinged {
  status: PingStatus;
  replacedBy?: Replacement | undefined;
}

/** Keeps a session alive and tells its client what to do; a refusal after a logout. */
export async function ping(
  deps: AccountsDeps,
  caller: Extract<Caller, { kind: 'session' }>,
  contentDefinitionId: string | undefined,
): Promise<Pinged | { refused: 'session_ended' }> {
  const reading = await deps.sessionCache.touch(caller.accountId, caller.sessionId, contentDefinitionId);
  if (reading === undefined || reading.session.isLoggedOut) return { refused: 'session_ended' };
  const status = pingStatusOf(reading, deps.settings.SESSION_IDLE_SECONDS);
  if (reading.session.status !== SessionStatus.SessionReplaced) return { status };
  return { status, replacedBy: await deps.findReplacement(reading.session) };
}

/** How late Postgres may learn when a session was last seen, in seconds: a quarter of the idle lifetime, at most 5. */
export function lastSeenDelaySeconds(idleSeconds: number): number {
  return Math.min(5, idleSeconds / 4);
}
