import { disabledNow } from '../account/accounts.ts';
import { arraysOf, statement, txStatement } from '../postgres/statements.ts';
import { query, type Transaction } from '../postgres/connect.ts';
import { IS_ACCEPTED, OVERTAKEN, ROTATED, SUCCESSOR } from './rotation.ts';

export interface RefreshState {
  accountId: string;
  role: 'User' | 'Guest' | 'Admin';
  status: number;
  endReason: string | null;
  isEnded: boolean;
  isLapsed: boolean;
  ssoProvider: string | null;
  /** Nonces overtaken within the grace period, oldest first: each by the next one, the last by the current. */
  overtaken: Buffer[];
  current: Buffer;
  next: Buffer;
}

const RETURNED = `
  s.account_id as "accountId", a.role, s.status, s.end_reason as "endReason",
  s.ended_at is not null as "isEnded",
  (s.expires_at <= now() or s.last_seen_at + make_interval(secs => :idleSeconds) <= now()) as "isLapsed",
  s.sso_provider as "ssoProvider", ${OVERTAKEN} as overtaken,
  s.refresh_current as current, s.refresh_next as next`;

/** The session `s` gets tokens. */
export const IS_ALIVE = `
       s.ended_at is null and s.expires_at > now()
       and s.last_seen_at + make_interval(secs => :idleSeconds) > now()`;

/** The account `a` gets tokens. */
export const IS_GOOD = `
       not ${disabledNow('a')} and (a.expires_at is null or a.expires_at > now())
       and a.signup = 'complete' and a.email_verified_at is not null and not a.new_password_required`;

export interface Rotated {
  sessionId: string;
  accountId: string;
  role: RefreshState['role'];
  /** The nonce of the refresh token to return. */
  successor: Buffer;
}

/**
 * Uses nonces of refresh tokens, one for each session, in one statement. The next nonce becomes the current one, with a
 * new next one. The current one gives out the next: within the grace period the same again, later a new one, which
 * voids the earlier. One overtaken within the grace period changes nothing: its successor is still the one that
 * overtook it. Left out are sessions with other nonces, or without tokens (`findRefreshState` says why), and with
 * `skip` those that others are changing: the statement then never waits, nor makes others wait.
 *
 * Sessions and accounts are looked up by id whatever the planner’s statistics: `lateral` with a lock or an offset is
 * planned apart; a plain join without statistics would read every active session.
 */
export async function rotate(
  tx: Transaction,
  attempts: readonly { sessionId: string; nonce: Buffer; fresh: Buffer }[],
  { locked, ...bounds }: { graceSeconds: number; idleSeconds: number; locked: 'skip' | 'wait' },
) {
  const sql = `with held as materialized (
      select s.id, given.nonce, given.fresh, a.role
      from unnest(:sessionId::uuid[], :nonce::bytea[], :fresh::bytea[]) as given (id, nonce, fresh)
      cross join lateral (
        select s.id, s.account_id from user_session s
        where s.id = given.id and s.sso_provider is null and ${IS_ALIVE}
          and ${IS_ACCEPTED}
        for no key update ${locked === 'skip' ? 'skip locked' : ''}
      ) s
      cross join lateral (select a.role from account a where a.id = s.account_id and ${IS_GOOD} offset 0) a
    )
    update user_session s
    set ${ROTATED}
    from held
    where s.id = held.id
    returning s.id as "sessionId", s.account_id as "accountId", held.role,
      ${SUCCESSOR} as successor`;
  return query<Rotated>(tx, sql, { ...arraysOf(attempts, 'sessionId', 'nonce', 'fresh'), ...bounds });
}

/** Its nonce never changes. `undefined` for another token, or without tokens (`findRefreshState` says why). */
export const renewSso = txStatement.row<
  { accountId: string; role: RefreshState['role'] },
  { sessionId: string; nonce: Buffer; provider: string; idleSeconds: number }
>(`update user_session s
  set last_seen_at = greatest(s.last_seen_at, now())
  from account a
  where s.id = :sessionId and s.sso_provider = :provider and s.refresh_current = :nonce and ${IS_ALIVE}
    and a.id = s.account_id and ${IS_GOOD}
  returning s.account_id as "accountId", a.role`);

export const findRefreshState = statement.row<
  RefreshState,
  { sessionId: string; graceSeconds: number; idleSeconds: number }
>(`select ${RETURNED} from user_session s join account a on a.id = s.account_id where s.id = :sessionId`);
