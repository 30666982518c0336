import type { Problem, Result } from '../../ui/api/api.ts';

export interface PageOf<T> {
  Items: readonly T[];
  NextCursor?: string;
}

/** Fetches the page at a cursor; without a cursor, the first page. */
export type GetPage<T> = (cursor: string | undefined) => Promise<Result<PageOf<T>>>;

export const ROWS_MAX = 100_000;

/** The rows read so far, and the cursor of the next page. */
export interface Collected<T> {
  rows: T[];
  cursor?: string | undefined;
  /** The end of the list or `ROWS_MAX` was reached. */
  isWhole: boolean;
  problem?: Problem | undefined;
}

/** Reads the pages of a list until its end, `ROWS_MAX`, an error or a stop. Continues after the rows already read. */
export async function collect<T>(
  getPage: GetPage<T>,
  { rows, cursor }: Collected<T>,
  isStopped: () => boolean,
  onRows: (count: number) => void,
): Promise<Collected<T>> {
  const all = [...rows];
  let next = cursor;
  while (!isStopped()) {
    const page = await getPage(next);
    if (!page.ok) return { rows: all, cursor: next, isWhole: false, problem: page.problem };
    all.push(...page.value.Items);
    next = page.value.NextCursor;
    onRows(all.length);
    if (next === undefined || all.length >= ROWS_MAX) return { rows: all.slice(0, ROWS_MAX), isWhole: true };
  }
  return { rows: all, cursor: next, isWhole: false };
}
