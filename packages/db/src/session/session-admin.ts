import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { allConditions, plan, splitConditions, type SessionConditions } from './session-conditions.ts';

/** A session as administrators see it, from Postgres; its cached copy may have been seen later. */
export interface SessionRecord {
  id: string;
  accountId: string;
  email: string;
  displayName: string | null;
  isGuest: boolean;
  status: number;
  /** Empty: none. */
  tag: string;
  deviceName: string | null;
  userAgent: string | null;
  ipAddress: string | null;
  ssoProvider: string | null;
  contentDefinitionId: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

export interface HistoryLine {
  status: number;
  changedAt: Date;
  changedBy: string | null;
  reason: string;
}

const COLUMNS = `
  s.id, s.account_id as "accountId", a.email, a.display_name as "displayName", a.role = 'Guest' as "isGuest",
  s.status, s.tag, s.device_name as "deviceName", s.user_agent as "userAgent", host(s.ip_address) as "ipAddress",
  s.sso_provider as "ssoProvider", s.content_definition_id as "contentDefinitionId",
  s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt",
  s.ended_at as "endedAt"`;

/** The sessions with these ids, newest first; unknown ids are ignored. */
export async function findByIds(executor: Executor, sessionIds: readonly string[]): Promise<SessionRecord[]> {
  return await query<SessionRecord>(
    executor,
    `select ${COLUMNS}
     from user_session s
     join account a on a.id = s.account_id
     where s.id = any(?::uuid[])
     order by s.id desc`,
    [sessionIds],
  );
}

/** The newest `max` entries of a session's history, oldest first. */
export async function findHistory(
  executor: Executor,
  sessionId: string,
  max: number,
): Promise<HistoryLine[]> {
  return await query<HistoryLine>(
    executor,
    `select status, changed_at as "changedAt", changed_by as "changedBy", reason
     from (
       select seq, status, changed_at, changed_by, reason
       from session_event
       where session_id = ?
       order by seq desc
       limit ?
     ) newest
     order by seq`,
    [sessionId, max],
  );
}

/** A range of the list: ids below `beforeId` and not below `fromId`. */
export interface ListRange {
  beforeId: string;
  fromId: string;
  max: number;
}

/** How many sessions one query scans at most, which limits its time, and how many of them for frequent matches. */
const WINDOW = 10_000;
const NEAR = 1000;

/**
 * The account of each session, looked up individually (`offset 0` prevents a plain join): with a plain join, a search
 * that the index of emails and names cannot narrow down would first be applied to all accounts.
 */
const THEIR_ACCOUNTS =
  'cross join lateral (select email, display_name, role from account where id = s.account_id offset 0) a';

/**
 * Up to `max` matching sessions of the range, newest first. One condition selects an index in list order; the sessions
 * that it finds, at most `WINDOW`, are checked against the other conditions. `nextBeforeId`: where to continue;
 * `undefined` if the whole range was scanned.
 */
export async function findRange(
  executor: Executor,
  conditions: SessionConditions,
  stretch: ListRange,
): Promise<{ sessions: SessionRecord[]; nextBeforeId: string | undefined }> {
  const { driver, others, ...known } = plan(conditions);
  const bindings = { ...known.bindings, ...stretch };
  const inOrder = `
    select s.* from user_session s
    where s.id < :beforeId and s.id >= :fromId ${driver === undefined ? '' : `and ${driver}`}
    order by s.id desc
    limit ${others.length === 0 ? ':max' : ':window'}`;
  const sessions = await query<SessionRecord>(
    executor,
    `select ${COLUMNS}
     from (${inOrder}) s
     ${THEIR_ACCOUNTS}
     ${others.length === 0 ? '' : `where ${others.join(' and ')}`}
     order by s.id desc
     limit :max`,
    { ...bindings, window: NEAR },
  );
  if (sessions.length === stretch.max) return { sessions, nextBeforeId: sessions.at(-1)?.id };
  if (others.length === 0) return { sessions, nextBeforeId: undefined };
  // The matches and the end of the window must come from one snapshot. Otherwise sessions that begin or end meanwhile
  // could move others out of the window unseen.
  const [row] = await query<{ ids: string[]; last: string | null }>(
    executor,
    `with seen as materialized (${inOrder})
     select
       array(
         select s.id from seen s ${THEIR_ACCOUNTS}
         where ${others.join(' and ')} order by s.id desc limit :max
       ) as ids,
       (select id from seen order by id desc offset :window - 1 limit 1) as last`,
    { ...bindings, window: WINDOW },
  );
  const ids = row?.ids ?? [];
  const nextBeforeId = ids.length === stretch.max ? ids.at(-1) : (row?.last ?? undefined);
  return { sessions: await findByIds(executor, ids), nextBeforeId };
}

/** All matching sessions according to Postgres, for counting. */
export function rowsOf(conditions: SessionConditions): CountableRows {
  const { all, bindings } = allConditions(conditions);
  // The account is needed only for a search.
  const account = conditions.search === undefined ? '' : 'join account a on a.id = s.account_id';
  return { sql: `select 1 from user_session s ${account} where ${all.join(' and ')}`, bindings };
}

/** Whether any of the sessions is an administrator's. */
export async function includesAdministrator(
  executor: Executor,
  sessionIds: readonly string[],
): Promise<boolean> {
  const [row] = await query<{ isIncluded: boolean }>(
    executor,
    `select exists (
       select from user_session s
       join account a on a.id = s.account_id
       where s.id = any(cast(? as uuid[])) and a.role = 'Admin'
     ) as "isIncluded"`,
    [sessionIds],
  );
  return row?.isIncluded === true;
}

/** A session that a change may apply to. */
export type Candidate = Pick<
  SessionRecord,
  'id' | 'accountId' | 'contentDefinitionId' | 'lastSeenAt' | 'endedAt'
>;

/**
 * Up to `max` matching sessions, all active or all ended, in no order. For active sessions since `freshFromId`,
 * Postgres may not know yet which are online and what they watch: all of them are included, and their cached copies
 * decide. For ended sessions, Postgres knows everything.
 */
export async function findCandidates(
  executor: Executor,
  conditions: SessionConditions,
  { isEnded, freshFromId, max }: { isEnded: boolean; freshFromId: string; max: number },
): Promise<Candidate[]> {
  const { immediate, delayed, bindings } = splitConditions(conditions);
  const all = [isEnded ? 's.ended_at is not null' : 's.ended_at is null', ...immediate];
  if (isEnded) all.push(...delayed);
  else if (delayed.length > 0) all.push(`(s.id >= :freshFromId or (${delayed.join(' and ')}))`);
  return await query<Candidate>(
    executor,
    `select s.id, s.account_id as "accountId", s.content_definition_id as "contentDefinitionId",
       s.last_seen_at as "lastSeenAt", s.ended_at as "endedAt"
     from user_session s
     join account a on a.id = s.account_id
     where ${all.join(' and ')}
     limit :max`,
    { ...bindings, freshFromId, max },
  );
}
