import { query, type Executor } from './connect.ts';

/** A session as the refresh of its tokens sees it. */
export interface RefreshState {
  accountId: string;
  role: 'User' | 'Guest' | 'Admin';
  status: number;
  endReason: string | null;
  isEnded: boolean;
  isLapsed: boolean;
  ssoProvider: string | null;
  /** Overtaken within their grace, oldest first; each one's successor is the next of them, or the current. */
  overtaken: Buffer[];
  current: Buffer;
  next: Buffer;
}

/** The overtaken nonces that are still within their grace, or their times. */
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

const ADOPTED = 's.refresh_next = :nonce';

const GIVES_TOKENS = `
       a.id = s.account_id and s.ended_at is null and s.expires_at > now()
       and s.last_seen_at + make_interval(secs => :idleSeconds) > now()
       and not a.is_disabled and (a.expires_at is null or a.expires_at > now())
       and a.signup = 'complete' and a.email_verified_at is not null and not a.new_password_required`;

/**
 * Uses a refresh token's nonce, in one statement: the next nonce becomes the current one and a fresh one waits
 * behind it; the current one changes nothing, nor does one that was overtaken within the grace. Returns the
 * session after that; `undefined` when the nonce is none of these, or the session or its account gives no
 * tokens, which `findRefreshState` then explains.
 */
export async function rotate(
  executor: Executor,
  attempt: { sessionId: string; nonce: Buffer; fresh: Buffer; graceSeconds: number; idleSeconds: number },
): Promise<RefreshState | undefined> {
  const [row] = await query<RefreshState>(
    executor,
    `update user_session s
     set
       refresh_overtaken =
         case when ${ADOPTED} then ${withinGrace('nonce')} || s.refresh_current else s.refresh_overtaken end,
       refresh_overtaken_at =
         case when ${ADOPTED} then ${withinGrace('at')} || now() else s.refresh_overtaken_at end,
       refresh_current = case when ${ADOPTED} then s.refresh_next else s.refresh_current end,
       refresh_next = case when ${ADOPTED} then :fresh else s.refresh_next end,
       last_seen_at = greatest(s.last_seen_at, now())
     from account a
     where s.id = :sessionId and s.sso_provider is null and ${GIVES_TOKENS}
       and :nonce in (select unnest(${withinGrace('nonce')} || s.refresh_current || s.refresh_next))
     returning ${RETURNED}`,
    attempt,
  );
  return row;
}

/**
 * Uses the refresh token of a session that a provider's sign-on opened: its nonce never changes. `undefined` when
 * it is not that token, or the session or its account gives no tokens, which `findRefreshState` then explains.
 */
export async function renewSso(
  executor: Executor,
  attempt: { sessionId: string; nonce: Buffer; provider: string; idleSeconds: number },
): Promise<{ accountId: string; role: RefreshState['role'] } | undefined> {
  const [row] = await query<{ accountId: string; role: RefreshState['role'] }>(
    executor,
    `update user_session s
     set last_seen_at = greatest(s.last_seen_at, now())
     from account a
     where s.id = :sessionId and s.sso_provider = :provider and s.refresh_current = :nonce and ${GIVES_TOKENS}
     returning s.account_id as "accountId", a.role`,
    attempt,
  );
  return row;
}

/** The session of a refresh token as it stands; `undefined` when there is none. */
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
