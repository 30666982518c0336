import { openSync, readSync, closeSync } from 'node:fs';
import { convertTable, guessMapping, ownLines, parseJson, readTable } from '@gatehouse/intake';
import type { ConvertedExport, Mapping } from '@gatehouse/intake';
import { CommandError } from '../../terminal.ts';
import { readText } from './read-source.ts';

type Accounts = ConvertedExport & { faults: readonly string[] };

/**
 * Reads a list of our lines, or a table as the console does; `undefined` for a file of JSON lines, which may be of any
 * size and is sent as it is. Says by which columns it was read, and if it was not UTF-8.
 *
 * @throws {CommandError} if the file is none of these.
 */
export function readAccounts(
  file: string,
  { out, err }: { out: (text: string) => void; err: (text: string) => void },
): Accounts | undefined {
  if (isLines(file)) return undefined;
  const { text, encoding } = readText(file);
  if (encoding === 'windows-1252')
    err('the file is not UTF-8, and was read as Windows-1252: look at some names first, with --dry-run\n');
  const source = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const own = source && ownLines(source);
  if (own) return { ...own, faults: source.faults.map((line) => `line ${line}`) };
  const reading = readTable(text);
  if (reading.kind === 'equal')
    throw new CommandError(
      `Several columns have the same name: ${reading.names.join(', ')}`,
      'Rename or remove them.',
    );
  const mapping = reading.kind === 'table' ? guessMapping(reading.table) : {};
  if (reading.kind === 'unreadable' || mapping.Email === undefined)
    throw new CommandError(
      `${file} is neither JSON nor a table with a column Email`,
      'Name the columns as in docs/migrating.md, or try --help.',
    );
  out(`  columns: ${columnsOf(mapping)}\n`);
  return { ...convertTable(reading.table, mapping), faults: [] };
}

function columnsOf(mapping: Mapping): string {
  return Object.entries(mapping)
    .map(([field, column]) => (field === column ? field : `${field} from “${column}”`))
    .join(', ');
}

/** Whether a file begins as JSON lines in UTF-8. */
function isLines(file: string): boolean {
  const begin = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, begin);
  closeSync(descriptor);
  return /^\s*(?:\{|$)/.test(begin.subarray(0, length).toString('utf8').replace('\uFEFF', ''));
}
