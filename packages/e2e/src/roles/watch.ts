import { readTables, type TestAccounts } from '@gatehouse/accounts/testing';

/** Reads all stored data. Each call returns what was added, removed or changed since the previous call. */
export function watch(app: TestAccounts): () => Promise<string[]> {
  let rows = new Set<string>();
  return async () => {
    const before = rows;
    const tables = Object.entries(await readTables(app));
    rows = new Set(tables.flatMap(([name, lines]) => lines.map((line) => `${name} ${line}`)));
    return [
      ...[...before].filter((row) => !rows.has(row)).map((row) => `- ${row}`),
      ...[...rows].filter((row) => !before.has(row)).map((row) => `+ ${row}`),
    ];
  };
}
