import { isUuid } from '@gatehouse/schema';
import { conditionsOf, searchedOf, type AccountFilter } from './account-filter.ts';
import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/last-id.ts';
import { allOf, findNewestMatches, type Found } from '../search/newest-matches.ts';
import { textMatch } from '../search/text-match.ts';

/** Up to `max` matching accounts, newest first, after `beforeId`. A search for an identifier finds only its account. */
export async function findNewest(
  executor: Executor,
  filter: AccountFilter,
  page: { beforeId: string | undefined; max: number },
  bounds?: Parameters<typeof findNewestMatches>[3],
): Promise<Found> {
  const named = await findNamed(executor, filter);
  if (named !== undefined)
    return { ids: named < (page.beforeId ?? LAST_ID) ? [named] : [], nextBeforeId: undefined };
  const wanted = { table: 'account', sieved: SIEVED, ...conditionsOf(filter) };
  return findNewestMatches(executor, wanted, page, bounds);
}

/** The columns that the conditions of `sieve` read. */
const SIEVED = ['email', 'email_key', 'display_name', 'created_at', 'last_login_at', 'is_service'];

/** Up to `max` accounts whose email or name contains a text, in no order; `undefined` if no index can search for it. */
export async function findSearched(
  executor: Executor,
  search: string,
  max: number,
): Promise<string[] | undefined> {
  const { condition, part, isIndexed } = textMatch(searchedOf('account'), search);
  if (!isIndexed) return undefined;
  const sql = `select id from account where ${condition} limit :max`;
  const rows = await query<{ id: string }>(executor, sql, { part, max });
  return rows.map(({ id }) => id);
}

/** Up to `max` matching accounts, in no order. */
export async function findAny(executor: Executor, filter: AccountFilter, max: number): Promise<string[]> {
  const named = await findNamed(executor, filter);
  if (named !== undefined) return [named];
  const { bindings, ...conditions } = conditionsOf(filter);
  const sql = `select id from account where ${allOf(conditions)} limit :max`;
  const rows = await query<{ id: string }>(executor, sql, { ...bindings, max });
  return rows.map(({ id }) => id);
}

/** All matching accounts, for counting. */
export function rowsOf(filter: AccountFilter): CountableRows {
  const { bindings, ...conditions } = conditionsOf(filter);
  return { sql: `select 1 from account where ${allOf(conditions)}`, bindings };
}

/** If the search text is an identifier: its account, if there is one and it matches the other conditions. */
export async function findNamed(executor: Executor, filter: AccountFilter): Promise<string | undefined> {
  const searched = filter.search?.trim();
  if (searched === undefined || !isUuid(searched)) return undefined;
  const { bindings, ...conditions } = conditionsOf({ ...filter, search: undefined });
  const sql = `select id from account where id = :searched and ${allOf(conditions)}`;
  const [row] = await query<{ id: string }>(executor, sql, { ...bindings, searched });
  return row?.id;
}
