import { query, type Binding, type Executor } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/ids.ts';

/** Ids of rows, newest first; `nextBeforeId` if the search stopped before the end to limit its work. */
export interface Found {
  ids: string[];
  nextBeforeId: string | undefined;
}

/** A list's query of a table whose ids are ordered by time. */
export interface ListQuery {
  table: string;
  /** The table's name in the conditions, if different. */
  alias?: string;
  /** The conditions that an index can evaluate in the order of the ids. */
  ordered: readonly string[];
  /** The other conditions, checked on each row that `ordered` selects. */
  sieve: readonly string[];
  /** The columns that the conditions of `sieve` read, besides the id. */
  sieved: readonly string[];
  bindings: Readonly<Record<string, Binding | undefined>>;
  /** Whether an index can be used for the conditions of `sieve`. */
  isSearchIndexed: boolean;
}

/**
 * `near`: how many of the newest rows are scanned for matches before the search index is used. `rare`: with more
 * matches than this, the search index is too slow, and a scan is likely to find matches soon. `far`: how many rows are
 * scanned in that case, or if there is no search index.
 */
const BOUNDS = { near: 2000, far: 50_000, rare: 10_000 };
/** `far` rows are scanned in parts, and no further part is begun after this time: from a slow disk, one takes long. */
const PART = 5000;
const FAR_MS = 150;

/**
 * Up to `max` matching rows, newest first, after `beforeId`, with about the same work however many rows there are. The
 * search index has no order, and the index with the list's order does not contain the search text. So frequent matches
 * are found by scanning the newest rows, and rare ones by the search index. If matches are frequent only among old
 * rows, or Postgres is slow, a page may contain few rows, with the position at which to continue.
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
export async function findPage(
  executor: Executor,
  wanted: ListQuery,
  { beforeId, max }: { beforeId: string | undefined; max: number },
): Promise<Found> {
  // One row more than a page tells whether there are more.
  const { ids, nextBeforeId } = await findNewestMatches(executor, wanted, { beforeId, max: max + 1 });
  const shown = ids.slice(0, max);
  return { ids: shown, nextBeforeId: ids.length > max ? shown.at(-1) : nextBeforeId };
}

/** All conditions combined, for callers that need no order. */
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
