import { readFileSync, statSync } from 'node:fs';
import { CommandError } from '../../command-error.ts';
import { isEntry } from './conversion.ts';
import { jsonFault } from './json-fault.ts';

/** About what one text of Node may hold. */
const BYTES_MAX = 500_000_000;
/** So many lines are looked at to tell whether there is an object on each. */
const LINES_LOOKED_AT = 10;

/** A file, parsed. */
export interface Source {
  value: unknown;
  /** How a place in its list is called. */
  placeOf: (at: number) => string;
  /** The lines that are no JSON, where the others are. */
  faults: readonly string[];
}

/**
 * Parses a file: one JSON document, or a JSON object on each line, of which those that are none are left out and named.
 *
 * @throws {CommandError} for a file that is neither, naming where it ceases to be that, and never what is there.
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

/** `undefined` where it is no JSON. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // What the parser would say quotes the text, which holds hashes.
    return undefined;
  }
}

/** As UTF-8, or as UTF-16, which shells of Windows write; without a byte order mark. */
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
