import { convertAll, CONVERTERS, type ConvertedExport } from '@gatehouse/intake';
import { CommandError } from '../../terminal.ts';
import { readSource } from './read-source.ts';

/**
 * Reads an export of another system: one JSON document, or a JSON object on each line. `faults` are the places that are
 * not valid JSON.
 *
 * @throws {CommandError} if the system is unknown, or if the file is not one of its exports.
 */
export function readExport(file: string, system: string): ConvertedExport & { faults: readonly string[] } {
  const converter = CONVERTERS.get(system);
  if (converter === undefined)
    throw new CommandError(`--from ${system} is unknown`, `Known are ${[...CONVERTERS.keys()].join(', ')}.`);
  const source = readSource(file);
  const { value, faults } = source;
  if (converter.isPage?.(value) === true) {
    throw new CommandError(
      'The export is one page of several: it ends with a token for the next',
      'Let the AWS CLI fetch all pages: without --no-paginate and --max-items.',
    );
  }
  const entries = converter.entriesOf(value);
  if (entries === undefined) {
    throw new CommandError(
      `${file} is not an export of ${system}`,
      'See "Migrating from" in docs/migrating.md.',
    );
  }
  return {
    ...convertAll(converter, entries, source),
    faults: faults.map((line) => `line ${line}`),
  };
}
