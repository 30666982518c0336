import type { Refusal } from '@gatehouse/auth-core';
import type { SessionRefusal } from '@gatehouse/redis';
import { LoginStatus } from '@gatehouse/schema';
import { accounts, inTransaction, sessionRefresh } from '@gatehouse/db';
import { Unavailable, type Deadline } from '@gatehouse/runtime';
import type { RefreshDeps } from '../deps.ts';
import { conditionOf, type AccountCondition } from '../checks/login-status.ts';
import { refusalOfEnded, wasSeenSince } from '../session/refresh/refresh.ts';

/** The result of a renewal. */
export type SsoRenewal =
  | { kind: 'renewed'; token: string }
  | Refusal<SessionRefusal | 'token_invalid'>
  | { kind: 'condition'; condition: PendingCondition };

/** The conditions except disabled and expired, which are returned as refusals of the session. */
type PendingCondition = Exclude<
  AccountCondition,
  typeof LoginStatus.IsDisabled | typeof LoginStatus.IsExpired
>;

/**
 * Returns a new access token for the refresh token of a session that this provider's sign-on opened. The refresh token
 * stays the same until the session ends (docs/sso.md), so theft cannot be detected by reuse. The decision is based on
 * Postgres, like that of `refresh`.
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
    const state = await sessionRefresh.findRefreshState(db, sessionId, { ...attempt, graceSeconds: 0 });
    if (state?.ssoProvider !== provider || !state.current.equals(read.nonce)) {
      return { kind: 'refused', code: 'token_invalid' };
    }
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
