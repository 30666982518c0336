/** Rows as CSV (RFC 4180), after a header with the column names. */
export function csvOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/**
 * Matches values that a spreadsheet would execute as a formula, which could send other cells to an attacker. Some read
 * full-width signs as the usual ones.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function cellOf(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

export function rowOf<N extends string>(item: Readonly<Partial<Record<N, unknown>>>, names: readonly N[]) {
  return Object.fromEntries(names.map((name) => [name, String(item[name] ?? '')]));
}
