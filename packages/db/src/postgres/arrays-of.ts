import type { Binding } from './connect.ts';

/** The values that rows have in each of these fields, for `unnest(cast(:id as uuid[]), …)`; `undefined` is null. */
export function arraysOf<T extends object, N extends keyof T & string>(rows: readonly T[], ...names: N[]) {
  const arrays = names.map((name) => [name, rows.map((row) => row[name] ?? null)]);
  return Object.fromEntries(arrays) as Record<N, Binding>;
}
