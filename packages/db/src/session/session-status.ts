import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { RECORD, type Change } from './user-sessions.ts';

/** A session whose status a transaction will change. */
export interface LockedSession {
  id: string;
  accountId: string;
  tag: string;
  isEnded: boolean;
  /** The session was idle for too long or reached the end of its lifetime, whether or not that is recorded. */
  hasRunOut: boolean;
  /** The session reached the end of its absolute lifetime. */
  isTooOld: boolean;
  /**
   * The session was opened with credentials that the account no longer accepts, or a copy of its refresh token was
   * used.
   */
  isRevoked: boolean;
}

/**
 * Reasons of an end which say that the credentials that opened the session are no longer sufficient, or not its
 * owner's. They are read from the history, because an administrator who changes the status also replaces the session's
 * own `end_reason`.
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
  id, account_id as "accountId", tag, ended_at is not null as "isEnded", expires_at <= now() as "isTooOld",
  (expires_at <= now() or last_seen_at + make_interval(secs => :idleSeconds) <= now()) as "hasRunOut",
  password_version is distinct from (select a.password_version from account a where a.id = account_id)
    or exists (
      select from session_event e
      where e.session_id = user_session.id and e.reason in (${REVOKING.map((reason) => `'${reason}'`).join(', ')})
    ) as "isRevoked"`;

/** Which sessions to change: one, the active ones of an account, or those that are still active, or still ended. */
export type Which =
  | { sessionId: string }
  | { accountId: string; max: number }
  | { sessionIds: readonly string[]; status: number | undefined; isEnded: boolean };

/**
 * The sessions in the order of their ids, in which they are always locked, to prevent deadlocks. With `locks`, they are
 * locked until the transaction ends. Lock the accounts first, unless active sessions stay active.
 */
export async function findToChange(
  executor: Executor,
  which: Which,
  { idleSeconds, locks }: { idleSeconds: number; locks: boolean },
): Promise<LockedSession[]> {
  return await query<LockedSession>(
    executor,
    `select ${HELD}
     from user_session
     where ${conditionOf(which)}
     order by id
     limit :max
     ${locks ? 'for update' : ''}`,
    { max: null, ...which, idleSeconds },
  );
}

function conditionOf(which: Which): string {
  if ('sessionId' in which) return 'id = :sessionId';
  if ('accountId' in which) return 'account_id = :accountId and ended_at is null';
  const hasStatus = which.status === undefined ? 'true' : 'status = :status';
  return `id = any(cast(:sessionIds as uuid[])) and (ended_at is not null) = :isEnded and ${hasStatus}`;
}

/**
 * Locks every session of these accounts that a change of the accounts may modify (`userSessions.end`, `renewCopies`),
 * in the order of their ids. Lock the accounts first.
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

/** What sessions become that are active again. */
export interface Revived {
  isExclusive: boolean;
  slots: readonly number[];
}

/**
 * Sets the status of sessions that the transaction has locked, and records it in their history. `ends` is the reason of
 * the end (a session that had already ended keeps its end time), or undefined for an active status. With `revived`, the
 * sessions count as seen now, and are exclusive or not as given; `slots` has those of the exclusive ones, in their order.
 */
export async function set(
  tx: Transaction,
  sessionIds: readonly string[],
  change: Change,
  options: { tokenSeconds: number; ends: string | undefined; revived: Revived | undefined },
): Promise<void> {
  const { tokenSeconds, ends, revived } = options;
  const end =
    ends === undefined
      ? 'ended_at = null, end_reason = null'
      : 'ended_at = coalesce(ended_at, now()), end_reason = :ends';
  const revival =
    revived === undefined
      ? ''
      : `last_seen_at = now(), is_exclusive = :isExclusive,
         slot = coalesce((cast(:slots as smallint[]))[array_position(cast(:sessionIds as uuid[]), id)], 0),`;
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
      slots: revived?.slots,
    },
  );
}
