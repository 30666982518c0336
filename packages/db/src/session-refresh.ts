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
  previous: Buffer | null;
  current: Buffer;
  next: Buffer;
  isGraceOver: boolean;
}

const RETURNED = `
  s.account_id as "accountId", a.role, s.status, s.end_reason as "endReason",
  s.ended_at is not null as "isEnded",
  (s.expires_at <= now() or s.last_seen_at + make_interval(secs => :idleSeconds) <= now()) as "isLapsed",
  s.sso_provider as "ssoProvider",
  s.refresh_previous as previous, s.refresh_current as current, s.refresh_next as next,
  coalesce(s.refresh_rotated_at <= now() - make_interval(secs => :graceSeconds), true) as "isGraceOver"`;

/**
 * Uses a refresh token's nonce, in one statement: the next nonce becomes the current one and a fresh one waits
 * behind it; the current one changes nothing, nor does the one just overtaken within its grace. Returns the
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
       refresh_previous = case when s.refresh_next = :nonce then s.refresh_current else s.refresh_previous end,
       refresh_current = case when s.refresh_next = :nonce then s.refresh_next else s.refresh_current end,
       refresh_next = case when s.refresh_next = :nonce then :fresh else s.refresh_next end,
       refresh_rotated_at = case when s.refresh_next = :nonce then now() else s.refresh_rotated_at end,
       last_seen_at = greatest(s.last_seen_at, now())
     from account a
     where s.id = :sessionId and a.id = s.account_id
       and s.ended_at is null and s.expires_at > now()
       and s.last_seen_at + make_interval(secs => :idleSeconds) > now()
       and not a.is_disabled and (a.expires_at is null or a.expires_at > now())
       and a.signup = 'complete' and a.email_verified_at is not null and not a.new_password_required
       and (:nonce in (s.refresh_current, s.refresh_next)
         or (s.refresh_previous = :nonce
           and s.refresh_rotated_at > now() - make_interval(secs => :graceSeconds)))
     returning ${RETURNED}`,
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
