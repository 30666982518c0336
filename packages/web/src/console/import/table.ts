import { labelsIn } from '../ui/typed.ts';

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

/** A row of a CSV file, and the number of its first line, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Reads CSV (RFC 4180): quoted cells may contain the separator, line breaks and doubled quotes. Lines may end with LF
 * or CRLF; empty lines are skipped. Malformed text is kept unchanged, so that no data is lost.
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
    if (cells.length > 1 || cell !== '') rows.push({ line: beganOn, cells });
    cells = [];
    cell = '';
  };
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) {
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

/** The separator of the cells: comma, semicolon or tab, whichever is most frequent in the first line. */
export function separatorOf(text: string): string {
  const end = text.indexOf('\n');
  const first = end === -1 ? text : text.slice(0, end);
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}

/** The fields of an imported account (docs/accounts.md), and their usual column names in other systems. */
export const FIELDS = [
  ['Email', ['email', 'emailaddress', 'mail', 'username', 'login']],
  ['DisplayName', ['displayname', 'name', 'fullname']],
  ['Role', ['role']],
  ['Groups', ['groups', 'memberof']],
  ['PasswordHash', ['passwordhash', 'hash', 'bcrypt', 'encryptedpassword']],
] as const;

export type Field = (typeof FIELDS)[number][0];

/** The column for each field; a field without a column is omitted. */
export type Mapping = Readonly<Partial<Record<Field, string>>>;

/** Maps the fields to the columns with a usual name. */
export function guessMapping({ columns }: Table): Mapping {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');
  return Object.fromEntries(
    FIELDS.flatMap(([field, names]) => {
      const found = names.flatMap((name) => columns.find((column) => plain(column) === name) ?? []);
      return found[0] === undefined ? [] : [[field, found[0]]];
    }),
  );
}

/** The account that is sent for a row; empty cells are omitted. */
export function accountOf({ values }: TableRow, mapping: Mapping): Partial<Record<Field, string | string[]>> {
  return Object.fromEntries(
    FIELDS.flatMap(([field]) => {
      const value = values?.get(mapping[field] ?? '');
      return value ? [[field, field === 'Groups' ? labelsIn(value) : value]] : [];
    }),
  );
}
