import { readFileSync } from 'node:fs';

/**
 * Reads the table between `<!-- name -->` and `<!-- /name -->` in a document of the repository. Returns its cells
 * without the header row and without code ticks.
 *
 * @param path from the repository's root.
 * @throws {Error} if the document has no such table.
 */
export function readTable(path: string, name: string): string[][] {
  const text = readFileSync(new URL(path, new URL('../../../../', import.meta.url)), 'utf8');
  const start = text.indexOf(`<!-- ${name} -->`);
  const end = text.indexOf(`<!-- /${name} -->`);
  if (start === -1 || end < start) throw new Error(`${path} has no table "${name}"`);
  const lines = text.slice(start, end).split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return rows;
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  return cells.map((cell) => cell.trim().replaceAll('`', ''));
}
