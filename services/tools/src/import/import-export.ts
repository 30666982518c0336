import type { ConvertedExport } from './from/read-export.ts';
import { importParts, PART, type ImportPart, type ImportState, type ImportTarget } from './import-file.ts';

/** Sends the accounts of another system's export, like `importParts`. */
export function importExport(
  { lines }: Pick<ConvertedExport, 'lines'>,
  target: ImportTarget,
): Promise<ImportState> {
  return importParts(partsOf(lines), target);
}

function* partsOf(lines: ConvertedExport['lines']): Generator<ImportPart> {
  for (let from = 0; from < lines.length; from += PART.linesMax) {
    const some = lines.slice(from, from + PART.linesMax);
    yield {
      lines: some.length,
      text: Buffer.from(some.map(({ line }) => `${JSON.stringify(line)}\n`).join('')),
      placeOf: (line) => some[line - 1]?.place ?? `entry ${line}`,
    };
  }
}
