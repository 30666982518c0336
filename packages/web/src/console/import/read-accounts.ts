import { readCsv, separatorOf } from './read-csv.ts';

/** The contents of a file, independent of its format. */
export interface Table {
  columns: string[];
  rows: readonly TableRow[];
}

export interface TableRow {
  /** The position in the file, from 1: the line number, or the index in a JSON list. */
  line: number;
  /** `undefined` if the row cannot be read. */
  values: ReadonlyMap<string, string> | undefined;
}

/** Further columns are ignored: an account has far fewer fields. */
const COLUMNS_MAX = 100;

/** Reads CSV, a JSON list of objects, or one JSON object per line (NDJSON); `undefined` for other formats. */
export function readAccounts(text: string): Table | undefined {
  const begin = text.trimStart().charAt(0);
  if (begin === '[') {
    const list = parsed(text);
    return Array.isArray(list) ? tableOf(list.map((value, at) => rowOf(value, at + 1))) : undefined;
  }
  if (begin === '{') {
    const lines = text.split('\n').map((line, at) => ({ line: line.trim(), number: at + 1 }));
    return tableOf(
      lines.filter(({ line }) => line !== '').map(({ line, number }) => rowOf(parsed(line), number)),
    );
  }
  const [head, ...rows] = readCsv(text, separatorOf(text));
  if (head === undefined || rows.length === 0) return undefined;
  const columns = head.cells.map((cell) => cell.trim()).slice(0, COLUMNS_MAX);
  return {
    columns: [...new Set(columns)].filter((name) => name !== ''),
    rows: rows.map(({ line, cells }) => ({
      line,
      values: new Map(columns.map((name, at) => [name, cells[at]?.trim() ?? ''])),
    })),
  };
}

function tableOf(rows: readonly TableRow[]): Table {
  const columns = new Set<string>();
  for (const { values } of rows) {
    if (columns.size >= COLUMNS_MAX) break;
    for (const name of values?.keys() ?? []) columns.add(name);
  }
  return { columns: [...columns].slice(0, COLUMNS_MAX), rows };
}

function rowOf(value: unknown, line: number): TableRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, values: undefined };
  const given = Object.entries(value).filter((entry): entry is [string, Plain | Plain[]] =>
    [entry[1]].flat().every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
  );
  return { line, values: new Map(given.map(([name, one]) => [name, [one].flat().join(',').trim()])) };
}

type Plain = string | number | boolean;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
