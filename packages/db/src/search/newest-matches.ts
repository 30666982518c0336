import { query, type Binding, type Executor } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/last-id.ts';

/** Ids of rows, newest first; `nextBeforeId` where it was left off to keep the work bounded. */
export interface Found {
  ids: string[];
  nextBeforeId: string | undefined;
}

/** What a list asks of a table whose ids are in the order of time. */
export interface ListQuery {
  table: string;
  /** What the conditions call it, where that is not the name of the table. */
  alias?: string;
  /** What an index finds in the order of the ids. */
  ordered: readonly string[];
  /** What the rows that those leave are held to, one by one. */
  sieve: readonly string[];
  /** The columns that the sieve reads, besides the id. */
  sieved: readonly string[];
  bindings: Readonly<Record<string, Binding | undefined>>;
  /** Whether an index can look up what the sieve searches. */
  isSearchIndexed: boolean;
}

/**
 * How many of the newest rows are looked through for what no index has in the order of the list, before the index
 * of what is searched is asked (`near`), and how many where it is of no use (`far`); what has more matches than `rare`
 * is common enough to be come across.
 */
const BOUNDS = { near: 2000, far: 50_000, rare: 10_000 };

/**
 * Up to `max` of the rows that fit, newest first, from behind `beforeId` on, for much the same work however
 * many rows there are. The index of what is searched knows no order, and the order knows nothing of what is
 * searched; so whatever is common is found among the newest, whatever is rare by the index, and of what is common
 * among the old alone a page may hold few, with the place to go on from.
 */
export async function findNewestMatches(
  executor: Executor,
  wanted: ListQuery,
  { beforeId = LAST_ID, max }: { beforeId: string | undefined; max: number },
  bounds = BOUNDS,
): Promise<Found> {
  if (wanted.sieve.length === 0) {
    const sql = `select id from ${source(wanted)} where ${inOrder(wanted)} order by id desc limit :max`;
    const rows = await query<{ id: string }>(executor, sql, { ...wanted.bindings, beforeId, max });
    return { ids: rows.map(({ id }) => id), nextBeforeId: undefined };
  }
  const near = await lookThrough(executor, wanted, { beforeId, max, size: bounds.near });
  if (near.last === undefined || near.ids.length === max) return { ids: near.ids, nextBeforeId: undefined };

  const behind = { beforeId: near.last, max: max - near.ids.length };
  const rare = wanted.isSearchIndexed ? await findRare(executor, wanted, behind, bounds.rare) : undefined;
  if (rare !== undefined) return { ids: [...near.ids, ...rare], nextBeforeId: undefined };
  const far = await lookThrough(executor, wanted, { ...behind, size: bounds.far });
  const isFull = far.ids.length === behind.max;
  return { ids: [...near.ids, ...far.ids], nextBeforeId: isFull ? undefined : far.last };
}

/** The same as a page of a list, which says what it goes on behind wherever there is more. */
export async function findPage(
  executor: Executor,
  wanted: ListQuery,
  { beforeId, max }: { beforeId: string | undefined; max: number },
): Promise<Found> {
  // One too many says that there is more.
  const { ids, nextBeforeId } = await findNewestMatches(executor, wanted, { beforeId, max: max + 1 });
  const shown = ids.slice(0, max);
  return { ids: shown, nextBeforeId: ids.length > max ? shown.at(-1) : nextBeforeId };
}

/** All conditions at once, for callers that need no order. */
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

/** Looks through the newest `size` for what fits; `last` is where it stopped, if not at the end. */
async function lookThrough(
  executor: Executor,
  wanted: ListQuery,
  behind: Behind & { size: number },
): Promise<{ ids: string[]; last: string | undefined }> {
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

/** All that fits by the index, newest first, but no more than `max`; `undefined` for what is not rare. */
async function findRare(
  executor: Executor,
  wanted: ListQuery,
  { beforeId, max }: Behind,
  rareMax: number,
): Promise<string[] | undefined> {
  const where = [inOrder(wanted), ...wanted.sieve].join(' and ');
  const rows = await query<{ id: string }>(
    executor,
    `select id from ${source(wanted)} where ${where} limit :enough`,
    { ...wanted.bindings, beforeId, enough: rareMax + 1 },
  );
  if (rows.length > rareMax) return undefined;
  // Identifiers are written in the order that they have.
  return rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
    .slice(0, max);
}
