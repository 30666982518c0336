import type { Actor, AuditAction, AuditRecord } from './audit.ts';
import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { conditionsOf, ordered, since, until, type Filters } from '../search/filters.ts';
import { allOf, findPage, type Found, type ListQuery } from '../search/newest-matches.ts';

/** Filters of entries; `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  actorId?: string | undefined;
  actorKind?: Actor['kind'] | undefined;
  targetId?: string | undefined;
  action?: AuditAction | undefined;
  /** The trace of the request that made the change. */
  traceId?: string | undefined;
  /** A valid IP address; the caller has checked it. */
  ipAddress?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * Up to `max` matching entries, newest first, after `beforeId`. Entries about an account include those about its
 * sessions, invitations and mails. `nextBeforeId`: where to continue; `undefined` at the end. A page may contain fewer
 * than `max` entries before the end, because the number of rows scanned per page is limited.
 */
export async function findNewest(
  executor: Executor,
  filter: AuditFilter,
  page: { beforeId: string | undefined; max: number },
): Promise<{ rows: AuditRecord[]; nextBeforeId: string | undefined }> {
  const found: Found[] = [];
  for (const wanted of listsOf(filter)) found.push(await findPage(executor, wanted, page));
  const { ids, nextBeforeId } = merged(found, page.max);
  const rows = await query<AuditRecord>(
    executor,
    `select id, action, actor_kind as "actorKind", actor_id as "actorId", target_kind as "targetKind",
       target_id as "targetId", at, host(ip_address) as "ipAddress", trace_id as "traceId", details
     from audit
     where id = any(cast(? as uuid[]))
     order by id desc`,
    [ids],
  );
  return { rows, nextBeforeId };
}

/** All matching entries, for counting. */
export function rowsOf(filter: AuditFilter): CountableRows {
  const lists = listsOf(filter);
  const sql = lists.map((wanted) => `select 1 from audit where ${allOf(wanted)}`).join(' union all ');
  return { sql, bindings: lists[0]?.bindings ?? {} };
}

/** Merges pages of several lists without common entries. The result ends where the list that was scanned least ends. */
function merged(lists: readonly Found[], max: number): Found {
  const ends = lists.map(({ nextBeforeId }) => nextBeforeId).filter((end) => end !== undefined);
  const end = ends.toSorted().at(-1);
  const ids = lists
    .flatMap((list) => list.ids)
    .filter((id) => end === undefined || id >= end)
    .toSorted()
    .toReversed();
  return ids.length > max
    ? { ids: ids.slice(0, max), nextBeforeId: ids[max - 1] }
    : { ids, nextBeforeId: end };
}

/**
 * The account that an entry about something else belongs to, in exactly the expression of the index. A session that its
 * owner ended belongs to the actor.
 */
const OWNER = `case when action = 'session.ended' then actor_id::text else details ->> 'UserId' end`;
/** Entries about something that belongs to the account. An account's id is never that of another kind of object. */
const IS_ABOUT_ITS = `(target_kind <> 'Account' and ${OWNER} = cast(:targetId as uuid)::text)`;

/** The lists to search. If there are two, no entry is in both, and each list has its own index. */
function listsOf({ from, to, ...filter }: AuditFilter): ListQuery[] {
  const times = conditionsOf(TIMES, { from, to });
  const conditions = filter.targetId === undefined ? [''] : ['target_id = :targetId', IS_ABOUT_ITS];
  return conditions.map((target) => {
    const { ordered: indexed, bindings } = conditionsOf(filtersWith(target), filter);
    return {
      table: 'audit',
      // The first condition's index determines what is scanned; every index of the list can apply the times.
      ordered: [...indexed.slice(0, 1), ...times.ordered, ...times.sieve],
      sieve: indexed.slice(1),
      sieved: filter.traceId === undefined ? SIEVED : [...SIEVED, ...SIEVED_OF_TRACE],
      bindings: { ...bindings, ...times.bindings },
      isSearchIndexed: false,
    };
  });
}

/** Conditions with an index in list order, probably the most selective first. */
function filtersWith(target: string): Filters<Omit<AuditFilter, 'from' | 'to'>> {
  return {
    traceId: ordered('trace_id = :traceId'),
    targetId: ordered(target),
    actorId: ordered('actor_id = :actorId'),
    ipAddress: ordered('ip_address = cast(:ipAddress as inet)'),
    action: ordered('action = :action'),
    actorKind: ordered('actor_kind = :actorKind'),
  };
}

const TIMES: Filters<Pick<AuditFilter, 'from' | 'to'>> = { from: since('at'), to: until('at') };

/**
 * The columns that the conditions after the first one read. One request has few entries, so the larger columns may be
 * read for them.
 */
const SIEVED = ['action', 'actor_kind', 'actor_id', 'ip_address'];
const SIEVED_OF_TRACE = ['target_kind', 'target_id', 'details'];
