import { disabledNow } from '../account/accounts.ts';
import { arraysOf, statement, txStatement } from '../postgres/statements.ts';
import { query, type Transaction } from '../postgres/connect.ts';

/**
 * How a refresh token's nonce is used (docs/sessions.md), as parts of statements for any table `s` with the columns
 * `refresh_…`, and rows `held` with a nonce that was shown, and a fresh one.
 */

const ADOPTED = 's.refresh_next = held.nonce';

const GRACE_BEGAN = '(now() - make_interval(secs => :graceSeconds))';

/** The current nonce is used, and its successor was given out before the grace period and never used. */
const VOIDS = `(s.refresh_current = held.nonce and s.refresh_next_at <= ${GRACE_BEGAN})`;

/**
 * The nonces, or their times, that stay when another is overtaken: none if the latest is past its grace period, else
 * all but the oldest two past theirs. The list soon has only recent ones, and is planned in half the time.
 */
const kept = (column: 'refresh_overtaken' | 'refresh_overtaken_at'): string => `
         case
           when s.refresh_overtaken_at[cardinality(s.refresh_overtaken_at)] <= ${GRACE_BEGAN} then '{}'
           when s.refresh_overtaken_at[2] <= ${GRACE_BEGAN} then s.${column}[3:]
           when s.refresh_overtaken_at[1] <= ${GRACE_BEGAN} then s.${column}[2:]
           else s.${column}
         end`;

/** The position of an overtaken nonce; the nonce after it is the one that overtook it. */
const placeOf = (nonce: string): string => `array_position(s.refresh_overtaken, ${nonce})`;

export const IS_ACCEPTED = `(
             given.nonce in (s.refresh_current, s.refresh_next)
             or s.refresh_overtaken_at[${placeOf('given.nonce')}] > ${GRACE_BEGAN}
           )`;

/** The assignments that use `held.nonce`. */
export const ROTATED = `
       refresh_overtaken = case when ${ADOPTED} then ${kept('refresh_overtaken')} || s.refresh_current
         else s.refresh_overtaken end,
       refresh_overtaken_at = case when ${ADOPTED} then ${kept('refresh_overtaken_at')} || now()
         else s.refresh_overtaken_at end,
       refresh_current = case when ${ADOPTED} then s.refresh_next else s.refresh_current end,
       refresh_next = case when ${ADOPTED} or ${VOIDS} then held.fresh else s.refresh_next end,
       refresh_next_at = case when ${ADOPTED} or ${VOIDS} then now() else coalesce(s.refresh_next_at, now()) end,
       last_seen_at = greatest(s.last_seen_at, now())`;

/** The nonce of the refresh token to return, read after the assignments. */
export const SUCCESSOR = `
       case when held.nonce = s.refresh_current then s.refresh_next
         else coalesce(s.refresh_overtaken[${placeOf('held.nonce')} + 1], s.refresh_current) end`;

export const OVERTAKEN = `
  array(
    select o.nonce
    from unnest(s.refresh_overtaken, s.refresh_overtaken_at) with ordinality as o (nonce, at, place)
    where o.at > ${GRACE_BEGAN}
    order by o.place
  )`;

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
