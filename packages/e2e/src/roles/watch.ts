import { readTables, type TestAccounts } from '@gatehouse/accounts/testing';

/** Looks at everything that is kept; each look tells what has come, gone or changed since the one before. */
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
