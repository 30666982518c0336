import { readFileSync, statSync } from 'node:fs';
import { decodeFile, parseJson, type FileText, type Source } from '@gatehouse/intake';
import { jsonFault } from '@gatehouse/runtime';
import { CommandError } from '../../terminal.ts';

/** Approximately the maximum length of a string in Node. */
const BYTES_MAX = 500_000_000;

/**
 * Parses a file: one JSON document, or a JSON object on each line. Invalid lines are left out and reported.
 *
 * @throws {CommandError} if the file is neither. The message gives the place of the error, but never the content.
 */
export function readSource(file: string): Source {
  const { text, encoding } = readText(file);
  // JSON is UTF-8 (RFC 8259, section 8.1): anything else is a file that was cut, or converted by mistake.
  if (encoding === 'windows-1252')
    throw new CommandError(`${file} is not UTF-8`, 'Names and addresses would be changed. Convert it first.');
  const source = parseJson(text);
  if (source !== undefined) return source;
  throw new CommandError(
    `${file} is no JSON${whereIn(text)}`,
    'It may be cut off, or be put together from several.',
  );
}

/** @throws {CommandError} if it is too large. */
export function readText(file: string): FileText {
  if (statSync(file).size > BYTES_MAX)
    throw new CommandError(`${file} is too large to be read at once`, 'Export the users in several files.');
  return decodeFile(readFileSync(file));
}

function whereIn(text: string): string {
  const { place, isCutOff } = jsonFault(text);
  return isCutOff ? ': it ends too early' : ` from ${place} on`;
}
