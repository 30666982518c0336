import {
  pingStatusOf,
  SessionStatus,
  type Caller,
  type PingStatus,
  type Reading,
  type RefusalCode,
} from '@gatehouse/auth-core';
import {
  accounts,
  inTransaction,
  outbox,
  userSessions,
  type Account,
  type Executor,
  type SessionState,
} from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from './deps.ts';
import { LOGOUT, liveCopyOf } from './live-source.ts';
import { conditionOf, type AccountCondition } from './login-status.ts';

/** What a login or a refresh gives (specification 2.1). */
export interface TokenSet {
  Token: string;
  RefreshToken: string;
  ExpirationSeconds: number;
}

/** How an opening ended; `stale`: the account or its password changed since it was checked. */
export type Opening = { tokens: TokenSet; sessionId: string } | Refused;
type Refused = { condition: AccountCondition } | { stale: true };
type Opened = { account: Account; states: SessionState[] };

/**
 * Opens a session for an account whose owner has just been recognised. Under single-session enforcement every
 * earlier session ends as `SessionReplaced` in the same transaction; the lock on the account makes racing
 * logins take turns, and the partial unique index makes two active sessions impossible.
 */
export async function openSession(
  deps: AccountsDeps,
  recognised: Account,
  origin: Origin & { deviceName?: string | undefined },
): Promise<Opening> {
  const { db, live, tokens, refreshTokens, settings } = deps;
  const sessionId = newId();
  const [refreshCurrent, refreshNext] = [refreshTokens.newNonce(), refreshTokens.newNonce()];

  const opened = await inTransaction(db, async (tx): Promise<Refused | Opened> => {
    const account = await accounts.lockById(tx, recognised.id);
    if (account === undefined || account.passwordHash !== recognised.passwordHash) return { stale: true };
    const condition = conditionOf(account);
    if (condition !== undefined) return { condition };

    const status = account.role === 'Guest' ? SessionStatus.SharedAccess : SessionStatus.Normal;
    const ended = settings.SINGLE_SESSION
      ? await endSessions(deps, tx, { accountId: account.id }, REPLACED, origin)
      : [];
    await userSessions.insert(
      tx,
      {
        id: sessionId,
        accountId: account.id,
        status,
        isExclusive: settings.SINGLE_SESSION,
        refreshCurrent,
        refreshNext,
        ssoProvider: undefined,
        deviceName: origin.deviceName,
        userAgent: origin.userAgent,
        ipAddress: origin.address,
        lifetimeSeconds: settings.SESSION_MAX_SECONDS,
      },
      { tokenSeconds: settings.ACCESS_TOKEN_SECONDS, reason: 'login' },
    );
    await accounts.markLogin(tx, account.id);
    const started = { UserId: account.id, SessionId: sessionId, Status: status };
    await outbox.add(tx, [newEvent('session.started', started, origin)]);
    return { account, states: await userSessions.findStates(tx, [...ended, sessionId]) };
  });
  if (!('states' in opened)) return opened;

  deps.relay.wake();
  await live.write(opened.states.map(liveCopyOf));
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

const REPLACED = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy: undefined };

/**
 * Ends active sessions within a transaction, with their history and events. Publish the ids that it returns
 * with `publishSessions` after the commit: that is when the end holds everywhere.
 */
export async function endSessions(
  deps: AccountsDeps,
  tx: Executor,
  target: userSessions.Target,
  change: { status: SessionStatus; reason: string; changedBy: string | undefined },
  origin: Pick<Origin, 'traceId'> | undefined,
): Promise<string[]> {
  const { settings } = deps;
  const ended = await userSessions.end(tx, target, change, {
    tokenSeconds: settings.ACCESS_TOKEN_SECONDS,
    idleSeconds: settings.SESSION_IDLE_SECONDS + sightingSlackSeconds(settings.SESSION_IDLE_SECONDS),
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
  return ended.map((session) => session.id);
}

/** Makes committed changes of sessions hold on every service. */
export async function publishSessions(deps: AccountsDeps, sessionIds: readonly string[]): Promise<void> {
  deps.relay.wake();
  if (sessionIds.length === 0) return;
  await deps.live.write((await userSessions.findStates(deps.db, sessionIds)).map(liveCopyOf));
}

/** Ends the caller's session at its owner's wish. */
export async function logout(
  deps: AccountsDeps,
  session: { accountId: string; sessionId: string },
  origin: Origin,
): Promise<void> {
  const change = { status: SessionStatus.Expired, reason: LOGOUT, changedBy: session.accountId };
  const ended = await inTransaction(deps.db, (tx) =>
    endSessions(deps, tx, { sessionId: session.sessionId }, change, origin),
  );
  await publishSessions(deps, ended);
}

/** Keeps a session alive and tells its client what to do (contract 3.2); a refusal after a logout. */
export async function ping(
  deps: AccountsDeps,
  caller: Extract<Caller, { kind: 'session' }>,
  contentDefinitionId: string | undefined,
): Promise<PingStatus | RefusalCode> {
  const reading = await deps.live.touch(caller.accountId, caller.sessionId, contentDefinitionId);
  if (reading === undefined || reading.session.isLoggedOut) return 'session_ended';
  return pingStatusOf(reading, deps.settings.SESSION_IDLE_SECONDS);
}

/** Writes down the end of a session that was found to have run out. */
export async function endLapsedSession(deps: AccountsDeps, { session }: Reading): Promise<void> {
  const change = { status: SessionStatus.Expired, reason: 'expired', changedBy: undefined };
  const ended = await inTransaction(deps.db, (tx) =>
    endSessions(deps, tx, { sessionId: session.sessionId }, change, undefined),
  );
  await publishSessions(deps, ended);
}

/** Ends sessions that ran out with nobody asking; call it now and then. Returns how many. */
export async function sweepLapsedSessions(deps: AccountsDeps, max = 500): Promise<number> {
  const { settings } = deps;
  const ended = await inTransaction(deps.db, async (tx) => {
    const lapsed = await userSessions.endLapsed(tx, {
      tokenSeconds: settings.ACCESS_TOKEN_SECONDS,
      idleSeconds: settings.SESSION_IDLE_SECONDS + 2 * sightingSlackSeconds(settings.SESSION_IDLE_SECONDS),
      expiredStatus: SessionStatus.Expired,
      max,
    });
    const told = lapsed.map((session): AnyEvent =>
      newEvent('session.ended', {
        SessionId: session.id,
        UserId: session.accountId,
        Status: SessionStatus.Expired,
        Reason: 'expired',
      }),
    );
    await outbox.add(tx, told);
    return lapsed.map((session) => session.id);
  });
  await publishSessions(deps, ended);
  return ended.length;
}

/** How late sightings may reach Postgres, in seconds: a quarter of the idle lifetime, at most 5. */
export function sightingSlackSeconds(idleSeconds: number): number {
  return Math.min(5, idleSeconds / 4);
}
