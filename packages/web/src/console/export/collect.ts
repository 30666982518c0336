import type { Problem, Result } from '../../ui/api/api.ts';

export interface PageOf<T> {
  Items: readonly T[];
  NextCursor?: string;
}

/** Gives the page behind a cursor, the first one without. */
export type GetPage<T> = (cursor: string | undefined) => Promise<Result<PageOf<T>>>;

export const ROWS_MAX = 100_000;

/** What was read so far, and from where it goes on. */
export interface Collected<T> {
  rows: T[];
  cursor?: string | undefined;
  /** Everything was read; there may be more than `ROWS_MAX`. */
  isWhole: boolean;
  problem?: Problem | undefined;
}

/** Reads the pages of a list, starting after what was read before, until its end or until it is stopped. */
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
