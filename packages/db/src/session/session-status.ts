import { query, type Transaction } from '../postgres/connect.ts';
import { RECORD, type Change } from './user-sessions.ts';

/** A session that is held by a transaction which is about to change its status. */
export interface HeldSession {
  id: string;
  accountId: string;
  isEnded: boolean;
  /** It was idle for too long or its lifetime is over, whether or not that was written down. */
  hasRunOut: boolean;
  /** The end of its absolute lifetime has come. */
  isTooOld: boolean;
  /** The account's password has changed since its login, or a copy of its refresh token was used. */
  isRevoked: boolean;
}

const HELD = `
  id, account_id as "accountId", ended_at is not null as "isEnded", expires_at <= now() as "isTooOld",
  (expires_at <= now() or last_seen_at + make_interval(secs => :idleSeconds) <= now()) as "hasRunOut",
  end_reason is not distinct from 'refresh_token_reused' or password_version is distinct from (
    select a.password_version from account a where a.id = account_id) as "isRevoked"`;

/** Locks a session until the transaction ends, if there is one. Lock its account first. */
export async function lockOne(
  tx: Transaction,
  sessionId: string,
  idleSeconds: number,
): Promise<HeldSession | undefined> {
  const sql = `select ${HELD} from user_session where id = :sessionId for update`;
  const [row] = await query<HeldSession>(tx, sql, { sessionId, idleSeconds });
  return row;
}

/** Locks the active sessions of an account, at most `max`, in the order of their ids. Lock the account first. */
export async function lockActiveOfAccount(
  tx: Transaction,
  accountId: string,
  { idleSeconds, max }: { idleSeconds: number; max: number },
): Promise<HeldSession[]> {
  return await query<HeldSession>(
    tx,
    `select ${HELD}
     from user_session
     where account_id = :accountId and ended_at is null
     order by id
     limit :max
     for update`,
    { accountId, idleSeconds, max },
  );
}

/**
 * Locks those of the sessions that are active still, or ended still, of this status where one is given, in the
 * order of their ids: whoever locks several does so in one order, so that no two wait for each other. Lock their
 * accounts before those that have ended.
 */
export async function lockMany(
  tx: Transaction,
  sessionIds: readonly string[],
  { idleSeconds, status, isEnded }: { idleSeconds: number; status: number | undefined; isEnded: boolean },
): Promise<HeldSession[]> {
  return await query<HeldSession>(
    tx,
    `select ${HELD}
     from user_session
     where id = any(cast(:sessionIds as uuid[])) and (ended_at is not null) = :isEnded
       and status = coalesce(cast(:status as smallint), status)
     order by id
     for update`,
    { sessionIds, idleSeconds, status: status ?? null, isEnded },
  );
}

/**
 * Gives sessions that the transaction holds a status, with their history. `ends` says what it means: the reason
 * of the end (one that has ended keeps its time), or nothing for an active status. A session that is `revived`
 * counts as seen now, and is exclusive as the enforcement of single sessions says.
 */
export async function set(
  tx: Transaction,
  sessionIds: readonly string[],
  change: Change,
  options: { tokenSeconds: number; ends: string | undefined; revived: { isExclusive: boolean } | undefined },
): Promise<void> {
  const { tokenSeconds, ends, revived } = options;
  const end =
    ends === undefined
      ? 'ended_at = null, end_reason = null'
      : 'ended_at = coalesce(ended_at, now()), end_reason = :ends';
  const revival = revived === undefined ? '' : 'last_seen_at = now(), is_exclusive = :isExclusive,';
  await query(
    tx,
    `with changed as (
       update user_session
       set status = :status, ${end}, ${revival} version = version + 1
       where id = any(cast(:sessionIds as uuid[]))
       returning id, account_id, status
     ), ${RECORD}
     select 1`,
    {
      sessionIds,
      status: change.status,
      reason: change.reason,
      changedBy: change.changedBy ?? null,
      tokenSeconds,
      ends,
      isExclusive: revived?.isExclusive,
    },
  );
}
