import { Unavailable, type Deadline } from '@gatehouse/runtime';
import {
  inTransaction,
  query,
  type Binding,
  type Db,
  type Executor,
  type Transaction,
} from '../postgres/connect.ts';
import { conditionsOf, type Conditions, type Filters } from './filters.ts';
import { codeOf } from '../postgres/faults.ts';
import { LAST_ID } from '../postgres/ids.ts';

export interface List<F, Row> {
  /**
   * A page of matching rows after `beforeId`. `nextBeforeId`: where to continue; `undefined` at the end. A page may be
   * shorter than requested before the end, because only a limited number of rows is scanned.
   */
  findNewest(
    executor: Executor,
    filter: F,
    page: { beforeId: string | undefined; max: number },
  ): Promise<{ rows: Row[]; nextBeforeId: string | undefined }>;
  rowsOf(filter: F): CountableRows;
  queryOf(filter: F): ListQuery;
}

export interface Listing<F> {
  /** The columns that conditions read which no index evaluates (`sieve`). */
  sieved?: readonly string[] | undefined;
  /** Filters of which only the first one that is given selects (`conditionsOf`). */
  selective?: readonly (keyof F & string)[] | undefined;
  always?: string | undefined;
}

/** Declares the list of a table. `select`: a SELECT of the rows with their columns, without conditions. */
export function defineList<F extends object, Row>(
  list: Listing<F> & { table: string; alias?: string | undefined; select: string; filters: Filters<F> },
): List<F, Row> {
  const { table, alias = table, sieved = [], selective, always } = list;
  const queryOf = (filter: F): ListQuery => {
    const { ordered, ...conditions } = conditionsOf(list.filters, filter, selective);
    const own = always === undefined ? [] : [always];
    return { table, alias, sieved, ...conditions, ordered: [...own, ...ordered] };
  };
  return {
    findNewest: async (executor, filter, page) => {
      const { ids, nextBeforeId } = await findPage(executor, queryOf(filter), page);
      const sql = `${list.select} where ${alias}.id = any(cast(? as uuid[])) order by ${alias}.id desc`;
      return { rows: await query<Row>(executor, sql, [ids]), nextBeforeId };
    },
    rowsOf: (filter) => {
      const { bindings, ...conditions } = queryOf(filter);
      return { sql: `select 1 from ${table} as ${alias} where ${allOf(conditions)}`, bindings };
    },
    queryOf,
  };
}

/** Ids of rows, newest first; `nextBeforeId` if the search stopped before the end to limit its work. */
interface Found {
  ids: string[];
  nextBeforeId: string | undefined;
}

/** A list's query of a table whose ids are ordered by time. */
export interface ListQuery extends Conditions {
  table: string;
  /** The table's name in the conditions, if different. */
  alias?: string;
  /** The columns that the conditions of `sieve` read, besides the id. */
  sieved: readonly string[];
}

/**
 * `near`: how many of the newest rows are scanned before the search index is used. `rare`: with more matches, that is
 * too slow, and a scan finds some soon. `far`: how many are scanned then, or without a search index.
 */
const BOUNDS = { near: 2000, far: 50_000, rare: 10_000 };
/** `far` rows are scanned in parts, and no further part is begun after this time: from a slow disk, one takes long. */
const PART = 5000;
const FAR_MS = 150;

/**
 * Matching rows, newest first, with about the same work however many there are. The search index has no order, the one
 * with the order no text: frequent matches are found by scanning the newest rows, rare ones by the search index. If
 * they are frequent only among old rows, or Postgres is slow, a page may have few, with where to continue.
 */
export async function findNewestMatches(
  executor: Executor,
  wanted: ListQuery,
  { beforeId = LAST_ID, max }: { beforeId: string | undefined; max: number },
  bounds = BOUNDS,
): Promise<Found> {
  const begunAt = performance.now();
  if (wanted.sieve.length === 0) {
    const sql = `select id from ${source(wanted)} where ${inOrder(wanted)} order by id desc limit :max`;
    const ids = await query.column<string>(executor, sql, { ...wanted.bindings, beforeId, max });
    return { ids, nextBeforeId: undefined };
  }
  const near = await lookThrough(executor, wanted, { beforeId, max, size: bounds.near });
  if (near.last === undefined || near.ids.length === max) return { ids: near.ids, nextBeforeId: undefined };

  const behind = { beforeId: near.last, max: max - near.ids.length };
  const rare = wanted.isSearchIndexed ? await findRare(executor, wanted, behind, bounds.rare) : undefined;
  if (rare !== undefined) return { ids: [...near.ids, ...rare], nextBeforeId: undefined };
  const ids = [...near.ids];
  let last: string | undefined = near.last;
  for (let left = bounds.far; left > 0 && last !== undefined && ids.length < max; left -= PART) {
    if (left < bounds.far && performance.now() - begunAt > FAR_MS) break;
    const part = { beforeId: last, max: max - ids.length, size: Math.min(PART, left) };
    const found = await lookThrough(executor, wanted, part);
    ids.push(...found.ids);
    ({ last } = found);
  }
  return { ids, nextBeforeId: ids.length === max ? undefined : last };
}

/** Like `findNewestMatches`, for a page of a list: `nextBeforeId` is set whenever there are more rows. */
async function findPage(
  executor: Executor,
  wanted: ListQuery,
  { beforeId, max }: { beforeId: string | undefined; max: number },
): Promise<Found> {
  // One row more than a page tells whether there are more.
  const { ids, nextBeforeId } = await findNewestMatches(executor, wanted, { beforeId, max: max + 1 });
  const shown = ids.slice(0, max);
  return { ids: shown, nextBeforeId: ids.length > max ? shown.at(-1) : nextBeforeId };
}

export function allOf({ ordered, sieve }: Pick<ListQuery, 'ordered' | 'sieve'>): string {
  return ['true', ...ordered, ...sieve].join(' and ');
}

function source({ table, alias = table }: ListQuery): string {
  return `${table} as ${alias}`;
}

function inOrder({ ordered }: ListQuery): string {
  return ['id < :beforeId', ...ordered].join(' and ');
}

interface Behind {
  beforeId: string;
  max: number;
}

/** Scans the newest `size` rows for matches; `last` is where the scan stopped, if not at the end. */
async function lookThrough(executor: Executor, wanted: ListQuery, behind: Behind & { size: number }) {
  const { table, alias = table, sieve, sieved } = wanted;
  const [row] = await query<{ ids: string[]; last: string | null }>(
    executor,
    `with seen as materialized (
       select ${['id', ...sieved].join(', ')} from ${source(wanted)} where ${inOrder(wanted)} order by id desc limit :size
     )
     select
       array(
         select id from seen as ${alias} where ${sieve.join(' and ')} order by id desc limit :max
       ) as ids,
       (select id from seen order by id desc offset :size - 1 limit 1) as last`,
    { ...wanted.bindings, ...behind },
  );
  return { ids: row?.ids ?? [], last: row?.last ?? undefined };
}

/** The matches according to the search index, newest first, at most `max`; `undefined` if they are not rare. */
async function findRare(executor: Executor, wanted: ListQuery, { beforeId, max }: Behind, rareMax: number) {
  const where = [inOrder(wanted), ...wanted.sieve].join(' and ');
  const sql = `select id from ${source(wanted)} where ${where} limit :enough`;
  const bindings = { ...wanted.bindings, beforeId, enough: rareMax + 1 };
  const ids = await query.column<string>(executor, sql, bindings);
  // As text, identifiers sort in the same order.
  return ids.length > rareMax ? undefined : ids.toSorted().toReversed().slice(0, max);
}

/** Rows to count: a SELECT without an order and a limit, and its parameters. */
export interface CountableRows {
  sql: string;
  bindings: Readonly<Record<string, Binding | undefined>>;
}

/** A higher number would help no reader, and every counted row costs time. */
const COUNT_MAX = 10_000;
/** A list must not wait for its count. */
const COUNT_MS = 250;

/** Counts the rows of a list, exactly or at least so many, if that is cheap; `undefined` if it takes too long. */
export async function countRows({ db }: { db: Db }, rows: CountableRows, deadline: Deadline) {
  try {
    const bound = { max: COUNT_MAX, milliseconds: COUNT_MS };
    const count = await inTransaction(db, deadline, (tx) => boundedCount(tx, rows, bound));
    return { count: Math.min(count, COUNT_MAX), isExact: count <= COUNT_MAX };
  } catch (error) {
    if (isOverdue(error)) return undefined;
    throw error;
  }
}

/** The number of rows, or `max` + 1 if there are more. The transaction cannot be used after a count that took too long. */
export async function boundedCount(
  tx: Transaction,
  { sql, bindings }: CountableRows,
  { max, milliseconds }: { max: number; milliseconds: number },
) {
  await query(tx, "select set_config('statement_timeout', ?, true)", [`${milliseconds}ms`]);
  const counting = `select count(*)::int as count from (${sql} limit :countedMax) counted`;
  return await query.onlyValue<number>(tx, counting, { ...bindings, countedMax: max + 1 });
}

/** Whether a statement was cancelled because it exceeded its time-out (`query_canceled`). */
function isOverdue(error: unknown): boolean {
  return error instanceof Unavailable && codeOf(error.cause) === '57014';
}
