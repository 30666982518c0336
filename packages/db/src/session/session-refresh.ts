import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** The session data that a refresh needs. */
export interface RefreshState {
  accountId: string;
  role: 'User' | 'Guest' | 'Admin';
  status: number;
  endReason: string | null;
  isEnded: boolean;
  isLapsed: boolean;
  ssoProvider: string | null;
  /**
   * Nonces that were overtaken within the grace period, oldest first. The successor of each is the next one in this
   * list, or the current nonce.
   */
  overtaken: Buffer[];
  current: Buffer;
  next: Buffer;
}

/** The nonces that were overtaken within the grace period, or their times. */
const withinGrace = (column: 'nonce' | 'at'): string => `
  array(
    select o.${column}
    from unnest(s.refresh_overtaken, s.refresh_overtaken_at) with ordinality as o (nonce, at, place)
    where o.at > now() - make_interval(secs => :graceSeconds)
    order by o.place
  )`;

const RETURNED = `
  s.account_id as "accountId", a.role, s.status, s.end_reason as "endReason",
  s.ended_at is not null as "isEnded",
  (s.expires_at <= now() or s.last_seen_at + make_interval(secs => :idleSeconds) <= now()) as "isLapsed",
  s.sso_provider as "ssoProvider", ${withinGrace('nonce')} as overtaken,
  s.refresh_current as current, s.refresh_next as next`;

const IS_ALIVE = `
       s.ended_at is null and s.expires_at > now()
       and s.last_seen_at + make_interval(secs => :idleSeconds) > now()`;

const IS_GOOD = `
       not a.is_disabled and (a.expires_at is null or a.expires_at > now())
       and a.signup = 'complete' and a.email_verified_at is not null and not a.new_password_required`;

/** The result of using a refresh token’s nonce. */
export interface Rotated {
  sessionId: string;
  accountId: string;
  role: RefreshState['role'];
  /** The nonce of the refresh token to return. */
  successor: Buffer;
}

const ADOPTED = 's.refresh_next = held.nonce';

const GRACE_BEGAN = '(now() - make_interval(secs => :graceSeconds))';

/** The current nonce is used, and its successor was given out before the grace period and never used. */
const VOIDS = `(s.refresh_current = held.nonce and s.refresh_next_at <= ${GRACE_BEGAN})`;

/**
 * The nonces, or their times, that remain stored when another one is overtaken: none if the latest is past its grace
 * period, otherwise all except the oldest two past theirs. So the list soon contains only nonces within the grace
 * period, and the statement is planned in half the time that reading every element would take.
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

/**
 * Uses nonces of refresh tokens, one for each session, in one statement. The next nonce becomes the current one, and a
 * new next nonce is created. The current nonce gives out the next one: within the grace period the same one again,
 * later a new one, which invalidates the earlier. A nonce overtaken within the grace period changes nothing: its
 * successor remains the one that overtook it. Sessions are left out if their nonce is none of these, or if the session
 * or its account gets no tokens, which `findRefreshState` then explains. If `locked` says `skip locked`, sessions that
 * others are changing are left out, too; the statement then never waits, and so never makes others wait.
 *
 * Each session and its account is looked up by id, regardless of the planner’s statistics: `lateral` with a lock or an
 * offset is planned separately, whereas a plain join without statistics would read every active session.
 */
export async function rotate(
  tx: Transaction,
  attempts: readonly { sessionId: string; nonce: Buffer; fresh: Buffer }[],
  { locked, ...bounds }: { graceSeconds: number; idleSeconds: number; locked: 'skip' | 'wait' },
): Promise<Rotated[]> {
  return query<Rotated>(
    tx,
    `with held as materialized (
       select s.id, given.nonce, given.fresh, a.role
       from unnest(:ids::uuid[], :nonces::bytea[], :freshes::bytea[]) as given (id, nonce, fresh)
       cross join lateral (
         select s.id, s.account_id from user_session s
         where s.id = given.id and s.sso_provider is null and ${IS_ALIVE}
           and (
             given.nonce in (s.refresh_current, s.refresh_next)
             or s.refresh_overtaken_at[${placeOf('given.nonce')}] > ${GRACE_BEGAN}
           )
         for no key update ${locked === 'skip' ? 'skip locked' : ''}
       ) s
       cross join lateral (select a.role from account a where a.id = s.account_id and ${IS_GOOD} offset 0) a
     )
     update user_session s
     set
       refresh_overtaken = case when ${ADOPTED} then ${kept('refresh_overtaken')} || s.refresh_current
         else s.refresh_overtaken end,
       refresh_overtaken_at = case when ${ADOPTED} then ${kept('refresh_overtaken_at')} || now()
         else s.refresh_overtaken_at end,
       refresh_current = case when ${ADOPTED} then s.refresh_next else s.refresh_current end,
       refresh_next = case when ${ADOPTED} or ${VOIDS} then held.fresh else s.refresh_next end,
       refresh_next_at = case when ${ADOPTED} or ${VOIDS} then now() else coalesce(s.refresh_next_at, now()) end,
       last_seen_at = greatest(s.last_seen_at, now())
     from held
     where s.id = held.id
     returning s.id as "sessionId", s.account_id as "accountId", held.role,
       case when held.nonce = s.refresh_current then s.refresh_next
         else coalesce(s.refresh_overtaken[${placeOf('held.nonce')} + 1], s.refresh_current) end as successor`,
    {
      ids: attempts.map(({ sessionId }) => sessionId),
      nonces: attempts.map(({ nonce }) => nonce),
      freshes: attempts.map(({ fresh }) => fresh),
      ...bounds,
    },
  );
}

/**
 * Uses the refresh token of a single sign-on session, whose nonce never changes. `undefined` if it is another token, or
 * if the session or its account gets no tokens, which `findRefreshState` then explains.
 */
export async function renewSso(
  tx: Transaction,
  attempt: { sessionId: string; nonce: Buffer; provider: string; idleSeconds: number },
): Promise<{ accountId: string; role: RefreshState['role'] } | undefined> {
  const [row] = await query<{ accountId: string; role: RefreshState['role'] }>(
    tx,
    `update user_session s
     set last_seen_at = greatest(s.last_seen_at, now())
     from account a
     where s.id = :sessionId and s.sso_provider = :provider and s.refresh_current = :nonce and ${IS_ALIVE}
       and a.id = s.account_id and ${IS_GOOD}
     returning s.account_id as "accountId", a.role`,
    attempt,
  );
  return row;
}

/** The session of a refresh token; `undefined` if there is none. */
export async function findRefreshState(
  executor: Executor,
  sessionId: string,
  options: { graceSeconds: number; idleSeconds: number },
): Promise<RefreshState | undefined> {
  const [row] = await query<RefreshState>(
    executor,
    `select ${RETURNED} from user_session s join account a on a.id = s.account_id where s.id = :sessionId`,
    { sessionId, ...options },
  );
  return row;
}
