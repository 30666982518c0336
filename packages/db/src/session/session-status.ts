import { query, type Transaction } from '../postgres/connect.ts';
import { RECORD, type Change } from './user-sessions.ts';

/** A session locked by a transaction that is about to change its status. */
export interface LockedSession {
  id: string;
  accountId: string;
  isEnded: boolean;
  /** It was idle for too long or reached the end of its lifetime, recorded or not. */
  hasRunOut: boolean;
  /** It reached the end of its absolute lifetime. */
  isTooOld: boolean;
  /** It stood on a password, a factor or an identity that is the account's no more, or a copy of its refresh token was used. */
  isRevoked: boolean;
}

/**
 * Ends that say that a session was opened by what is no longer enough, or not its owner's. The history tells them: the
 * session's own `end_reason` is another one once an administrator has changed its status.
 */
const REVOKING = [
  'refresh_token_reused',
  'identity_unlinked',
  'passkey_removed',
  'two_factor_enabled',
  'two_factor_removed',
  'two_factor_required',
];

const HELD = `
  id, account_id as "accountId", ended_at is not null as "isEnded", expires_at <= now() as "isTooOld",
  (expires_at <= now() or last_seen_at + make_interval(secs => :idleSeconds) <= now()) as "hasRunOut",
  password_version is distinct from (select a.password_version from account a where a.id = account_id)
    or exists (
      select from session_event e
      where e.session_id = user_session.id and e.reason in (${REVOKING.map((reason) => `'${reason}'`).join(', ')})
    ) as "isRevoked"`;

/** Locks a session until the transaction ends. Lock its account first. */
export async function lockOne(
  tx: Transaction,
  sessionId: string,
  idleSeconds: number,
): Promise<LockedSession | undefined> {
  const sql = `select ${HELD} from user_session where id = :sessionId for update`;
  const [row] = await query<LockedSession>(tx, sql, { sessionId, idleSeconds });
  return row;
}

/** Locks the active sessions of an account, at most `max`, in the order of their ids. Lock the account first. */
export async function lockActiveOfAccount(
  tx: Transaction,
  accountId: string,
  { idleSeconds, max }: { idleSeconds: number; max: number },
): Promise<LockedSession[]> {
  return await query<LockedSession>(
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
 * Locks every session of these accounts that a change of them may touch (`userSessions.end`, `renewCopies`), in the
 * order of their ids. Lock the accounts first.
 */
export async function lockOfAccounts(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  await query(
    tx,
    `select id
     from user_session
     where account_id = any(cast(? as uuid[])) and (ended_at is null or ended_at > now() - interval '1 day')
     order by id
     for update`,
    [accountIds],
  );
}

/**
 * Locks those of the sessions that are still active, or still ended, with this status where one is given, in the
 * order of their ids, as everybody who locks several, which prevents deadlocks. Lock the accounts of ended sessions
 * first.
 */
export async function lockMany(
  tx: Transaction,
  sessionIds: readonly string[],
  { idleSeconds, status, isEnded }: { idleSeconds: number; status: number | undefined; isEnded: boolean },
): Promise<LockedSession[]> {
  return await query<LockedSession>(
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
 * Sets the status of sessions that the transaction has locked, with their history. `ends` is the reason of the end (a
 * session that has ended keeps its time), or undefined for an active status. A `revived` session counts as seen now,
 * and is exclusive as single sessions require.
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
