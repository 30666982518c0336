import { boundedCount, inTransaction, isOverdue, type CountableRows } from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import type { AccountsDeps } from './deps.ts';

/** A higher number would help no reader, and every counted row costs time. */
const COUNT_MAX = 10_000;
/** A list must not wait for its count. */
const COUNT_MS = 250;

/** Counts the rows of a list, exactly or at least so many, if that is cheap; `undefined` if it takes too long. */
export async function countRows({ db }: Pick<AccountsDeps, 'db'>, rows: CountableRows, deadline: Deadline) {
  try {
    const bound = { max: COUNT_MAX, milliseconds: COUNT_MS };
    const count = await inTransaction(db, deadline, (tx) => boundedCount(tx, rows, bound));
    return { count: Math.min(count, COUNT_MAX), isExact: count <= COUNT_MAX };
  } catch (error) {
    if (isOverdue(error)) return undefined;
    throw error;
  }
}
