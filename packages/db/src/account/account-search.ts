import { isUuid } from '@gatehouse/schema';
import { conditionsOf, type AccountConditions, type AccountFilter } from './account-filter.ts';
import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/last-id.ts';

/** Ids of accounts, newest first; `goOnBehind` where it was left off to keep the work bounded. */
export interface Found {
  ids: string[];
  goOnBehind: string | undefined;
}

/**
 * How many of the newest accounts are looked through for what no index has in the order of the list, before the index
 * of what is searched is asked (`near`), and how many where it is of no use (`far`); what has more matches than `rare`
 * is common enough to be come across.
 */
const BOUNDS = { near: 2000, far: 50_000, rare: 10_000 };

/**
 * Up to `max` of the accounts that fit, newest first, from behind `beforeId` on, for much the same work however
 * many accounts there are. The index of what is searched knows no order, and the order knows nothing of what is
 * searched; so whatever is common is found among the newest, whatever is rare by the index, and of what is common
 * among the old alone a page may hold few, with the place to go on from. An identifier finds its account alone.
 */
export async function findNewest(
  executor: Executor,
  filter: AccountFilter,
  page: { beforeId: string | undefined; max: number },
  bounds = BOUNDS,
): Promise<Found> {
  const { beforeId = LAST_ID, max } = page;
  const named = await findNamed(executor, filter);
  if (named !== undefined) return { ids: named < beforeId ? [named] : [], goOnBehind: undefined };
  const conditions = conditionsOf(filter);
  if (conditions.sieve.length === 0) {
    const sql = `select id from account where ${inOrder(conditions)} order by id desc limit :max`;
    const rows = await query<{ id: string }>(executor, sql, { ...conditions.bindings, beforeId, max });
    return { ids: rows.map(({ id }) => id), goOnBehind: undefined };
  }
  const near = await lookThrough(executor, conditions, { beforeId, max, size: bounds.near });
  if (near.last === undefined || near.ids.length === max) return { ids: near.ids, goOnBehind: undefined };

  const behind = { beforeId: near.last, max: max - near.ids.length };
  const rare = conditions.isSearchIndexed
    ? await findRare(executor, conditions, behind, bounds.rare)
    : undefined;
  if (rare !== undefined) return { ids: [...near.ids, ...rare], goOnBehind: undefined };
  const far = await lookThrough(executor, conditions, { ...behind, size: bounds.far });
  const isFull = far.ids.length === behind.max;
  return { ids: [...near.ids, ...far.ids], goOnBehind: isFull ? undefined : far.last };
}

/** Up to `max` of the accounts that fit, in no order. */
export async function findAny(executor: Executor, filter: AccountFilter, max: number): Promise<string[]> {
  const named = await findNamed(executor, filter);
  if (named !== undefined) return [named];
  const { bindings, ...conditions } = conditionsOf(filter);
  const sql = `select id from account where ${allOf(conditions)} limit :max`;
  const rows = await query<{ id: string }>(executor, sql, { ...bindings, max });
  return rows.map(({ id }) => id);
}

/** All accounts that fit, to be counted. */
export function rowsOf(filter: AccountFilter): CountableRows {
  const { bindings, ...conditions } = conditionsOf(filter);
  return { sql: `select 1 from account where ${allOf(conditions)}`, bindings };
}

/** The account whose identifier is searched, where there is one and it fits. */
export async function findNamed(executor: Executor, filter: AccountFilter): Promise<string | undefined> {
  const searched = filter.search?.trim();
  if (searched === undefined || !isUuid(searched)) return undefined;
  const { bindings, ...conditions } = conditionsOf({ ...filter, search: undefined });
  const sql = `select id from account where id = :searched and ${allOf(conditions)}`;
  const [row] = await query<{ id: string }>(executor, sql, { ...bindings, searched });
  return row?.id;
}

/** Every condition at once, for whoever needs no order. */
export function allOf({ ordered, sieve }: Pick<AccountConditions, 'ordered' | 'sieve'>): string {
  return ['true', ...ordered, ...sieve].join(' and ');
}

function inOrder({ ordered }: AccountConditions): string {
  return ['id < :beforeId', ...ordered].join(' and ');
}

interface Behind {
  beforeId: string;
  max: number;
}

/** What the conditions of a sieve read. */
const HELD_TO_SIEVE = 'id, email, email_key, display_name, created_at, last_login_at, is_service';

/** Looks through the newest `size` for what fits; `last` is where it stopped, if not at the end. */
async function lookThrough(
  executor: Executor,
  conditions: AccountConditions,
  wanted: Behind & { size: number },
): Promise<{ ids: string[]; last: string | undefined }> {
  const [row] = await query<{ ids: string[]; last: string | null }>(
    executor,
    `with seen as materialized (
       select ${HELD_TO_SIEVE} from account where ${inOrder(conditions)} order by id desc limit :size
     )
     select
       array(
         select id from seen as account where ${conditions.sieve.join(' and ')} order by id desc limit :max
       ) as ids,
       (select id from seen order by id desc offset :size - 1 limit 1) as last`,
    { ...conditions.bindings, ...wanted },
  );
  return { ids: row?.ids ?? [], last: row?.last ?? undefined };
}

/** All that fits by the index, newest first, but no more than `max`; `undefined` for what is not rare. */
async function findRare(
  executor: Executor,
  conditions: AccountConditions,
  { beforeId, max }: Behind,
  rareMax: number,
): Promise<string[] | undefined> {
  const where = [inOrder(conditions), ...conditions.sieve].join(' and ');
  const rows = await query<{ id: string }>(executor, `select id from account where ${where} limit :enough`, {
    ...conditions.bindings,
    beforeId,
    enough: rareMax + 1,
  });
  if (rows.length > rareMax) return undefined;
  // Identifiers are written in the order that they have.
  return rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
    .slice(0, max);
}
