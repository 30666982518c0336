import { Unavailable } from '@gatehouse/runtime';
import { query, type Binding, type Transaction } from './connect.ts';

/** Rows to count: a SELECT without an order and a limit, and its parameters. */
export interface CountableRows {
  sql: string;
  bindings: Readonly<Record<string, Binding | undefined>>;
}

/**
 * The number of rows, or `max` + 1 if there are more than `max`. The transaction cannot be used after a count that took
 * too long.
 *
 * @throws {Unavailable} `isOverdue` tells whether the count itself took longer than `milliseconds`.
 */
export async function boundedCount(
  tx: Transaction,
  { sql, bindings }: CountableRows,
  { max, milliseconds }: { max: number; milliseconds: number },
) {
  await query(tx, "select set_config('statement_timeout', ?, true)", [`${milliseconds}ms`]);
  const counting = `select count(*)::int as count from (${sql} limit :countedMax) counted`;
  return await query.onlyValue<number>(tx, counting, { ...bindings, countedMax: max + 1 });
}

/** Whether a statement was cancelled because it exceeded its time-out. */
export function isOverdue(error: unknown): boolean {
  return (
    error instanceof Unavailable && (error.cause as { code?: unknown } | undefined)?.code === QUERY_CANCELED
  );
}

const QUERY_CANCELED = '57014';
