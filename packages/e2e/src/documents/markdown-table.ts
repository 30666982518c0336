import { readFileSync } from 'node:fs';

/**
 * The cells of the table that stands between `<!-- name -->` and `<!-- /name -->` in a document of the
 * repository, without its head; code ticks are left out.
 *
 * @param path from the repository's root.
 * @throws {Error} when the document has no such place.
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
