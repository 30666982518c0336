import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { conditionsOf, type Filters } from './filters.ts';
import { allOf, findPage, type ListQuery } from './newest-matches.ts';

/** A list of rows, newest first. */
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

/** Which rows a list has, besides its filters. */
export interface Listing<F> {
  /** The columns that conditions read which no index evaluates (`sieve`). */
  sieved?: readonly string[] | undefined;
  /** Filters of which only the first one that is given selects (`conditionsOf`). */
  selective?: readonly (keyof F & string)[] | undefined;
  /** A condition of the list itself. */
  always?: string | undefined;
}

/** Declares the list of a table. `select`: a SELECT of the rows with their columns, without conditions. */
export function defineList<F extends object, Row>(
  list: Listing<F> & { table: string; alias?: string | undefined; select: string; filters: Filters<F> },
): List<F, Row> {
  const { table, alias = table, sieved = [], selective, always } = list;
  const queryOf = (filter: F): ListQuery => {
    const { ordered, ...conditions } = conditionsOf(list.filters, filter, selective);
    return {
      table,
      alias,
      sieved,
      ...conditions,
      ordered: always === undefined ? ordered : [always, ...ordered],
    };
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
