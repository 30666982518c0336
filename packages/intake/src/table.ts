import { parseJson } from './text-file.ts';

/** The contents of a file, independent of its format. */
export interface Table {
  columns: readonly string[];
  rows: readonly TableRow[];
}

export interface TableRow {
  /** The position in the file, from 1: the line number, or the index in a JSON list. */
  line: number;
  /** `undefined` if the row cannot be read. */
  values: ReadonlyMap<string, string> | undefined;
}

/** What a file is; `equal`: columns of the same name, of which nobody could say which is meant. */
export type TableReading =
  { kind: 'table'; table: Table } | { kind: 'unreadable' } | { kind: 'equal'; names: readonly string[] };

/** Further columns are ignored: an account has far fewer fields. */
const COLUMNS_MAX = 100;

/**
 * Reads CSV with a header, a JSON list of objects, or one JSON object per line (NDJSON). Columns without a name are
 * dropped: they mean nothing, such as the numbers that pandas puts in front.
 */
export function readTable(text: string): TableReading {
  if (/^\s*[[{]/.test(text)) return readJsonTable(text);
  // The line before the headers: Excel's, which says how it separates cells, PowerShell's, which names the type of the
  // rows, and that of Entra's template.
  const [said, separator] = /^\uFEFF?(?:"?sep=(.)"?|#TYPE .*|version:v1\.0,*)\r?\n/i.exec(text) ?? [''];
  const body = text.slice(said.length);
  const linesBefore = said === '' ? 0 : 1;
  const [head, ...rows] = readCsv(body, separator ?? separatorOf(body));
  if (head === undefined || rows.length === 0) return { kind: 'unreadable' };
  const columns = head.cells.map((cell) => cell.normalize('NFC').trim()).slice(0, COLUMNS_MAX);
  const named = [...columns.entries()].filter(([, name]) => name !== '');
  const equal = named.filter(
    ([at, name]) => columns.findIndex((one) => one.toLowerCase() === name.toLowerCase()) !== at,
  );
  if (equal.length > 0) return { kind: 'equal', names: [...new Set(equal.map(([, name]) => name))] };
  return {
    kind: 'table',
    table: {
      columns: named.map(([, name]) => name),
      rows: rows.map(({ line, cells }) => ({
        line: line + linesBefore,
        values: new Map(named.map(([at, name]) => [name, textOf(cells[at])])),
      })),
    },
  };
}

/** The text of a cell; databases write NULL and `\N` for none. */
function textOf(cell = ''): string {
  const text = cell.trim();
  return text === 'NULL' || text === '\\N' ? '' : text;
}

function readJsonTable(text: string): TableReading {
  const source = parseJson(text);
  if (source === undefined) return { kind: 'unreadable' };
  // One object alone is a list of one, as it is a line of NDJSON.
  const rows = [source.value].flat().map((value, at) => rowOf(value, source.lineOf(at)));
  const unreadable = source.faults.map((line) => ({ line, values: undefined }));
  const sorted = [...rows, ...unreadable].toSorted((one, other) => one.line - other.line);
  const columns = new Set<string>();
  for (const { values } of rows) {
    if (columns.size >= COLUMNS_MAX) break;
    for (const name of values?.keys() ?? []) columns.add(name);
  }
  return { kind: 'table', table: { columns: [...columns].slice(0, COLUMNS_MAX), rows: sorted } };
}

function rowOf(value: unknown, line: number): TableRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { line, values: undefined };
  const given = Object.entries(value).filter(
    (entry): entry is [string, Plain | Plain[]] =>
      entry[0] !== '' &&
      [entry[1]].flat().every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
  );
  return { line, values: new Map(given.map(([name, one]) => [name, [one].flat().join(',').trim()])) };
}

type Plain = string | number | boolean;

/** A row of a CSV file, and the number of its first line, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads CSV (RFC 4180): quoted cells may contain the separator, line breaks and doubled quotes, and have blanks around
 * them. Lines may end with LF, CRLF or CR. Rows without any text are skipped: Excel writes them below a table. Malformed
 * text is kept unchanged, so that no data is lost.
 */
export function readCsv(text: string, separator: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let beganOn = 1;
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) rows.push({ line: beganOn, cells });
    cells = [];
    cell = '';
  };
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\n' || (letter === '\r' && text.charAt(at + 1) !== '\n')) line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text.charAt(at + 1) === '\n') continue;
      endRow();
      beganOn = line;
    } else cell += letter;
  }
  endRow();
  return rows;
}

/** Where the header must end for its separator to be found. */
const HEADER_MAX = 10_000;

/** The separator of the cells, whichever is most frequent in the first line outside of quotes. */
export function separatorOf(text: string): string {
  const [first = ''] = text
    .slice(0, HEADER_MAX)
    .replace(/"[^"]*"/g, '')
    .split(/[\n\r]/, 1);
  const counts = [',', ';', '\t', '|'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}
