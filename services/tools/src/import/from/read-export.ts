import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import {
  convertAll,
  CONVERTERS,
  convertTable,
  decodeFile,
  guessMapping,
  ownLines,
  parseJson,
  readTable,
} from '@gatehouse/intake';
import type { ConvertedExport, FileText, Source } from '@gatehouse/intake';
import { jsonFault } from '@gatehouse/runtime';
import { CommandError } from '../../terminal.ts';

/** `faults`: the places that are not valid JSON. */
type Accounts = ConvertedExport & { faults: readonly string[] };

/** @throws {CommandError} if the system is unknown, or if the file is not one of its exports: JSON or JSON lines. */
export function readExport(file: string, system: string): Accounts {
  const converter = CONVERTERS.get(system);
  if (converter === undefined)
    throw new CommandError(`--from ${system} is unknown`, `Known are ${[...CONVERTERS.keys()].join(', ')}.`);
  const source = readSource(file);
  const { value } = source;
  if (converter.isPage?.(value) === true)
    throw new CommandError(
      'The export is one page of several: it ends with a token for the next',
      'Let the AWS CLI fetch all pages: without --no-paginate and --max-items.',
    );
  const entries = converter.entriesOf(value);
  if (entries === undefined)
    throw new CommandError(
      `${file} is not an export of ${system}`,
      'See "Migrating from" in docs/migrating.md.',
    );
  return { ...convertAll(converter, entries, source), faults: source.faults.map((line) => `line ${line}`) };
}

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
  const columns = Object.entries(mapping).map(([field, column]) =>
    field === column ? field : `${field} from “${column}”`,
  );
  out(`  columns: ${columns.join(', ')}\n`);
  return { ...convertTable(reading.table, mapping), faults: [] };
}

/** Whether a file begins as JSON lines in UTF-8. */
function isLines(file: string): boolean {
  const begin = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, begin);
  closeSync(descriptor);
  return /^\s*(?:\{|$)/.test(begin.subarray(0, length).toString('utf8').replace('\uFEFF', ''));
}

/** Approximately the maximum length of a string in Node. */
const BYTES_MAX = 500_000_000;

/**
 * Parses a file: one JSON document, or a JSON object on each line. Invalid lines are left out and reported.
 *
 * @throws {CommandError} if the file is neither. The message gives the place of the error, but never the content.
 */
function readSource(file: string): Source {
  const { text, encoding } = readText(file);
  // JSON is UTF-8 (RFC 8259, section 8.1): anything else is a file that was cut, or converted by mistake.
  if (encoding === 'windows-1252')
    throw new CommandError(`${file} is not UTF-8`, 'Names and addresses would be changed. Convert it first.');
  const source = parseJson(text);
  if (source !== undefined) return source;
  const { place, isCutOff } = jsonFault(text);
  const where = isCutOff ? ': it ends too early' : ` from ${place} on`;
  throw new CommandError(`${file} is no JSON${where}`, 'It may be cut off, or be put together from several.');
}

function readText(file: string): FileText {
  if (statSync(file).size > BYTES_MAX)
    throw new CommandError(`${file} is too large to be read at once`, 'Export the users in several files.');
  return decodeFile(readFileSync(file));
}
