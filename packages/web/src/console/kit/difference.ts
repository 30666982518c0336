/** The objects that a bulk change has changed, or would change. `Items` contains only the newest ones. */
export interface Changed<T> {
  Items: readonly T[];
  Ids: readonly string[];
  Count: number;
}

/** The ids that were in the preview but did not change (`left`), and those that changed in addition (`more`). */
export function differenceOf(preview: readonly string[], done: readonly string[]) {
  const before = new Set(preview);
  const after = new Set(done);
  return { left: preview.filter((id) => !after.has(id)), more: done.filter((id) => !before.has(id)) };
}

/**
 * The names of changed objects by their ids: those of the answers' `Items`, and for other objects those that they had
 * when they were selected.
 */
export function namesOf<T extends { Id: string }, N>(
  items: readonly T[],
  nameOf: (item: T) => N,
  selected: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, N | string> {
  return new Map<string, N | string>([...selected, ...items.map((item) => [item.Id, nameOf(item)] as const)]);
}
