import type { Refusal } from '@gatehouse/auth-core';
import { refusalOf, type SessionRefusal } from '@gatehouse/redis';
import { accounts, inTransaction, sessionRefresh, userSessions } from '@gatehouse/db';
import type { ClientRefreshState, RefreshState, Rotated } from '@gatehouse/db';
import { Unavailable, type Deadline } from '@gatehouse/runtime';
import type { Origin, RefreshDeps } from '../../deps.ts';
import { isAlone, isExclusive } from '../slots.ts';
import { readActive } from '../presence.ts';
import { cachedSessionOf, lastSeenOf } from '../session-source.ts';
import { conditionOf, type AccountCondition } from '../../checks/login-status.ts';
import { mailNotice } from '../../checks/mailing.ts';
import type { TokenSet } from '../open-and-end.ts';
import { write } from '../write.ts';

export type Refreshing =
  | { kind: 'refreshed'; tokens: TokenSet }
  | Refusal<SessionRefusal | 'token_invalid'>
  | { kind: 'condition'; condition: AccountCondition };

/**
 * Returns a new access token (docs/sessions.md). The row stores the nonce of the current refresh token, the next one,
 * which every answer contains, and those overtaken within the grace period. Using the next one makes it current; long
 * after its answer, the current one gets another next one. So a client may keep its first token or adopt each new one,
 * tabs and lost answers do no harm, and any other genuine token is a copy in the wrong hands.
 */
export async function refresh(deps: RefreshDeps, refreshToken: string, origin: Origin): Promise<Refreshing> {
  const { db, refreshTokens, settings } = deps;
  const read = refreshTokens.read(refreshToken);
  if (read === undefined) return { kind: 'refused', code: 'token_invalid' };
  const bounds = {
    graceSeconds: settings.REFRESH_GRACE_SECONDS,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
  };
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const rotated = await deps.rotate(read, origin);
    if (rotated !== undefined) {
      deps.activity.count('refresh');
      return { kind: 'refreshed', tokens: await tokensFor(deps, rotated) };
    }

    const state = await sessionRefresh.findRefreshState(db, { ...bounds, sessionId: read.sessionId });
    // Sign-on sessions have a separate endpoint: their refresh token stays the same, so that using it again is no
    // theft.
    if (state === undefined || state.ssoProvider !== null) return { kind: 'refused', code: 'token_invalid' };
    const account = await accounts.findById(db, state.accountId);
    const condition = account === undefined ? undefined : conditionOf(account);
    if (condition !== undefined) return { kind: 'condition', condition };
    if (state.isEnded) return refusalOfEnded(deps, read.sessionId);
    const isAlive = !state.isLapsed || (await wasSeenSince(deps, state, read.sessionId, origin));
    if (!isAlive) return { kind: 'refused', code: 'session_expired' };
    if (!isKnownNonce(state, read.nonce))
      return { kind: 'refused', code: await endAsStolen(deps, state, read.sessionId, origin) };
    // The token is valid by now: another request has rotated meanwhile, or the session was seen. Try again.
  }
  throw new Unavailable('session');
}

const LOOKS_MAX = 3;

async function tokensFor(
  { tokens, refreshTokens, sessionCache, settings }: RefreshDeps,
  { accountId, sessionId, role, successor }: Rotated,
): Promise<TokenSet> {
  const [{ token }] = await Promise.all([
    tokens.sign({ accountId, sessionId, role }),
    sessionCache.keepAlive(accountId, sessionId),
  ]);
  return {
    Token: token,
    RefreshToken: refreshTokens.issue(sessionId, successor),
    ExpirationSeconds: settings.ACCESS_TOKEN_SECONDS,
  };
}

/** Whether a refresh token of this nonce was issued; one that gets nothing was copied. */
export function isKnownNonce({ overtaken, current, next }: RefreshState | ClientRefreshState, nonce: Buffer) {
  return [...overtaken, current, next].some((known) => known.equals(nonce));
}

/** Whether pings that are not written to Postgres yet kept the session alive; if so, they are written now. */
export async function wasSeenSince(
  deps: RefreshDeps,
  state: RefreshState,
  sessionId: string,
  deadline: Deadline,
): Promise<boolean> {
  const reading = await readActive(deps, { accountId: state.accountId, sessionId });
  if (reading === undefined) return false;
  const seen = [lastSeenOf(reading.session)];
  await inTransaction(deps.db, deadline, (tx) => userSessions.saveLastSeen(tx, seen));
  return true;
}

export async function refusalOfEnded(deps: RefreshDeps, sessionId: string): Promise<Refusal<SessionRefusal>> {
  const [cached] = (await userSessions.findStates(deps.db, [sessionId])).map(cachedSessionOf);
  if (cached === undefined) return { kind: 'refused', code: 'session_ended' };
  const code = refusalOf({ session: cached, nowSeconds: cached.readAtSeconds }, Infinity) ?? 'session_ended';
  if (code !== 'session_replaced') return { kind: 'refused', code };
  return { kind: 'refused', code, replacedBy: await deps.findReplacement(cached) };
}

/** Mails the owner. With several kinds of devices, all sessions end: the thief may have opened or copied others. */
async function endAsStolen(
  deps: RefreshDeps,
  state: RefreshState,
  sessionId: string,
  origin: Origin,
): Promise<SessionRefusal> {
  await write(deps, { actor: { kind: 'System' }, origin }, async (tx) => {
    const account = await accounts.lockById(tx, state.accountId);
    const endsAll = account !== undefined && isExclusive(deps.settings, account) && !isAlone(deps, account);
    const target = endsAll
      ? ({ kind: 'account', accountId: account.id } as const)
      : ({ kind: 'session', sessionId } as const);
    const ended = await tx.endSessions(target, 'refresh_token_reused');
    if (ended.length > 0 && account !== undefined) {
      await userSessions.forbidReactivation(tx, sessionId);
      await mailNotice(deps, tx, account, 'refresh-token.reused', { SessionId: sessionId }, origin);
    }
  });
  return 'session_deactivated';
}
