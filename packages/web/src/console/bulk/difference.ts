/** What a change changed, or would change; only the newest are there as they are. */
export interface Changed<T> {
  Items: readonly T[];
  Ids: readonly string[];
  Count: number;
}

/** What was to change and did not, and what changed and was not to. */
export function differenceOf(
  preview: Pick<Changed<unknown>, 'Ids'>,
  done: Pick<Changed<unknown>, 'Ids'>,
): { left: string[]; more: string[] } {
  const before = new Set(preview.Ids);
  const after = new Set(done.Ids);
  return {
    left: preview.Ids.filter((id) => !after.has(id)),
    more: done.Ids.filter((id) => !before.has(id)),
  };
}

/** So many a change takes by their ids. */
export const NAMED_MAX = 1000;
