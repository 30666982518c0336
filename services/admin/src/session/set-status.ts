import { countOnCommit, inBatches, roomForRevived, tagFact } from '@gatehouse/accounts';
import type { AccountsDeps, BulkOrder, WriteTransaction } from '@gatehouse/accounts';
import { begunLogins, query, statement, userSessions } from '@gatehouse/db';
import type { Account, Executor, Transaction } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { isActive, type SessionStatus } from '@gatehouse/schema';

export interface LockedSession {
  id: string;
  accountId: string;
  tag: string;
  isEnded: boolean;
  /** It was idle for too long or reached the end of its lifetime, whether or not that is recorded. */
  hasRunOut: boolean;
  /** It reached the end of its absolute lifetime. */
  isTooOld: boolean;
  /** It was opened with credentials that the account no longer accepts, or a copy of its refresh token was used. */
  isRevoked: boolean;
}

/**
 * Reasons of an end which say that the credentials that opened the session are no longer sufficient, or not its
 * owner’s. They are read from the history: a status that an administrator sets replaces the session’s own `end_reason`.
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

/** In the order of ids, against deadlocks. Lock the accounts first, unless active sessions stay active. */
export async function findToChange(
  executor: Executor,
  which: Which,
  { idleSeconds, locks }: { idleSeconds: number; locks: boolean },
) {
  const sql = `select ${HELD}
    from user_session
    where ${conditionOf(which)}
    order by id
    limit :max
    ${locks ? 'for update' : ''}`;
  return await query<LockedSession>(executor, sql, { max: null, ...which, idleSeconds });
}

function conditionOf(which: Which): string {
  if ('sessionId' in which) return 'id = :sessionId';
  if ('accountId' in which) return 'account_id = :accountId and ended_at is null';
  const hasStatus = which.status === undefined ? 'true' : 'status = :status';
  return `id = any(cast(:sessionIds as uuid[])) and (ended_at is not null) = :isEnded and ${hasStatus}`;
}

export const includesAdministrator = statement.onlyValue<boolean, [sessionIds: readonly string[]]>(`
  select exists (
    select from user_session s
    join account a on a.id = s.account_id
    where s.id = any(cast(? as uuid[])) and a.role = 'Admin'
  ) as "isIncluded"`);

type StatusOrder = BulkOrder & { status: SessionStatus };

/** The reason of an end. It is never the administrator's own text: `logout` would be read as the owner's logout. */
const ADMINISTRATOR = 'administrator';

/** Sets the status of sessions that are locked, and their accounts if they end. */
export async function setStatus(
  deps: AccountsDeps,
  tx: WriteTransaction,
  sessions: readonly LockedSession[],
  { status, actor, origin, reason: Reason }: StatusOrder,
  places?: { isExclusive: boolean; slots: ReadonlyMap<string, number> },
): Promise<void> {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const ends = isActive(status) ? undefined : ADMINISTRATOR;
  const tokenSeconds = deps.settings.ACCESS_TOKEN_SECONDS;
  const change = { status, reason: Reason ?? ADMINISTRATOR, changedBy };
  const endNow = sessions.filter(({ isEnded }) => ends !== undefined && !isEnded);
  if (ends !== undefined) countOnCommit(deps, tx, `session.${ADMINISTRATOR}`, endNow.length);
  await inBatches(sessions, async (part) => {
    const ids = part.map(({ id }) => id);
    const owners = part.map(({ accountId }) => accountId);
    const revived = places && { ...places, slots: ids.map((id) => places.slots.get(id) ?? 0) };
    if (ends !== undefined) await begunLogins.deleteOf(tx, owners);
    await set(tx, ids, change, { tokenSeconds, ends, revived });
  });
  for (const { id: SessionId, accountId: UserId, tag, isEnded } of sessions) {
    const data = { SessionId, UserId, Status: status, Reason: change.reason, ...tagFact(tag) };
    const by = changedBy !== undefined && { ChangedBy: changedBy };
    tx.event(
      ends !== undefined && !isEnded
        ? newEvent('session.ended', data, origin)
        : newEvent('session.status-changed', { ...data, ...by }, origin),
    );
    const why = Reason !== undefined && { Reason };
    tx.audit('user-session.changed', { UserId, Status: status, ...why, ...tagFact(tag) }, SessionId);
  }
  tx.changesSessions(sessions.map(({ id }) => id));
}

/**
 * Makes ended sessions active again. Each takes a slot of its tag, and the sessions that must make room for it become
 * `SessionReplaced`. The locks on the accounts serialise this with logins and other revivals, so that whichever comes
 * last remains.
 */
export async function revive(
  deps: AccountsDeps,
  tx: WriteTransaction,
  { revived, owners }: { revived: readonly LockedSession[]; owners: readonly Account[] },
  order: StatusOrder,
): Promise<void> {
  if (revived.length === 0) return;
  const { slots, replaced } = await roomForRevived(deps, tx, revived, owners);
  if (replaced !== undefined) await tx.endSessions(replaced, 'replaced');
  for (const takesSlot of [true, false]) {
    const part = revived.filter(({ id }) => slots.has(id) === takesSlot);
    await setStatus(deps, tx, part, order, { isExclusive: takesSlot, slots });
  }
}

/**
 * Sets the status of locked sessions, and records it in their history. `ends` is the reason of the end (a session that
 * had already ended keeps its end time), or undefined for an active status. With `revived`, they count as seen now, and
 * are exclusive or not as given; `slots` has those of the exclusive ones, in their order.
 */
async function set(
  tx: Transaction,
  sessionIds: readonly string[],
  change: userSessions.Change,
  options: {
    tokenSeconds: number;
    ends: string | undefined;
    revived: { isExclusive: boolean; slots: readonly number[] } | undefined;
  },
): Promise<void> {
  const { tokenSeconds, ends, revived } = options;
  const { status, reason, changedBy = null } = change;
  const end =
    ends === undefined
      ? 'ended_at = null, end_reason = null'
      : 'ended_at = coalesce(ended_at, now()), end_reason = :ends';
  const revival =
    revived === undefined
      ? ''
      : `last_seen_at = now(), is_exclusive = :isExclusive,
         slot = coalesce((cast(:slots as smallint[]))[array_position(cast(:sessionIds as uuid[]), id)], 0),`;
  const sql = `with changed as (
      update user_session
      set status = :status, ${end}, ${revival} version = version + 1
      where id = any(cast(:sessionIds as uuid[]))
      returning id, account_id, status
    ), ${userSessions.RECORD}
    select 1`;
  await query(tx, sql, { sessionIds, status, reason, changedBy, tokenSeconds, ends, ...revived });
}
