import { readFileSync, statSync } from 'node:fs';
import { CommandError } from '../../terminal.ts';
import { isEntry } from './conversion.ts';
import { jsonFault } from './json-fault.ts';

/** Approximately the maximum length of a string in Node. */
const BYTES_MAX = 500_000_000;
/** The number of lines that are checked to find out whether each is an object. */
const LINES_LOOKED_AT = 10;

/** A parsed file. */
export interface Source {
  value: unknown;
  /** The name of a list index in messages. */
  placeOf: (at: number) => string;
  /** Lines that are not valid JSON although other lines are. */
  faults: readonly string[];
}

/**
 * Parses a file: one JSON document, or a JSON object on each line. Invalid lines are left out and reported.
 *
 * @throws {CommandError} if the file is neither. The message gives the place of the error, but never the content.
 */
export function readSource(file: string): Source {
  const text = textIn(file);
  const document = parsed(text);
  if (document !== undefined) {
    return { value: document.value, placeOf: (at) => `entry ${at + 1}`, faults: [] };
  }
  const lines = text
    .split('\n')
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '');
  if (lines.slice(0, LINES_LOOKED_AT).every(({ line }) => !isEntry(parsed(line)?.value))) {
    throw new CommandError(
      `${file} is no JSON${whereIn(text)}`,
      'It may be cut off, or be put together from several.',
    );
  }
  const rows = lines.map(({ line, number }) => ({ number, row: parsed(line) }));
  const good = rows.filter(({ row }) => row !== undefined);
  return {
    value: good.map(({ row }) => row?.value),
    placeOf: (at) => `line ${good[at]?.number ?? at}`,
    faults: rows.filter(({ row }) => row === undefined).map(({ number }) => `line ${number}`),
  };
}

function whereIn(text: string): string {
  const fault = jsonFault(text);
  if (fault === undefined) return '';
  return fault === 'end' ? ': it ends too early' : ` from line ${fault.line}, column ${fault.column} on`;
}

/** `undefined` if the text is not JSON. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // The message of the parser would quote the text, which contains hashes.
    return undefined;
  }
}

/** Decodes UTF-8, or UTF-16, which shells on Windows write. Removes the byte order mark. */
function textIn(file: string): string {
  if (statSync(file).size > BYTES_MAX) {
    throw new CommandError(`${file} is too large to be read at once`, 'Export the users in several files.');
  }
  const bytes = readFileSync(file);
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${file} is not UTF-8`, 'Names and addresses would be changed. Convert it first.');
  }
}
