import { readTables, type TestAccounts } from '@gatehouse/accounts/testing';

/** Reads all stored data. Each call returns what was added, removed or changed since the previous call. */
export function watch(app: TestAccounts): () => Promise<string[]> {
  let rows = new Set<string>();
  return async () => {
    const before = rows;
    const tables = Object.entries(await readTables(app));
    rows = new Set(tables.flatMap(([name, lines]) => lines.map((line) => `${name} ${line}`)));
    return changes(before, rows);
  };
}

export function changes(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [
    ...[...before].filter((row) => !after.has(row)).map((row) => `- ${row}`),
    ...[...after].filter((row) => !before.has(row)).map((row) => `+ ${row}`),
  ];
}
