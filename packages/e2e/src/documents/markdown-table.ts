import { readFileSync } from 'node:fs';
import { format } from 'prettier';

const ROOT = new URL('../../../../', import.meta.url);

/**
 * Reads the table between `<!-- name -->` and `<!-- /name -->` in a document of the repository. Returns its cells
 * without the header row and without code ticks.
 *
 * @param path from the repository's root.
 * @throws {Error} if the document has no such table.
 */
export function readTable(path: string, name: string): string[][] {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const { start, end } = placeOf(text, path, name);
  const lines = text.slice(start, end).split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return rows;
}

/**
 * A document of the repository whose table between `<!-- name -->` and `<!-- /name -->` has these rows, the head first.
 *
 * @param path from the repository's root.
 * @throws {Error} when the document has no such place.
 */
export async function withTable(path: string, name: string, rows: readonly string[][]): Promise<string> {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const { start, end } = placeOf(text, path, name);
  const [head = [], ...others] = rows;
  const lines = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`);
  return format(`${text.slice(0, start)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`, {
    parser: 'markdown',
  });
}

function placeOf(text: string, path: string, name: string): { start: number; end: number } {
  const [begin, end] = [text.indexOf(`<!-- ${name} -->`), text.indexOf(`<!-- /${name} -->`)];
  if (begin === -1 || end < begin) throw new Error(`${path} has no table "${name}"`);
  return { start: begin + `<!-- ${name} -->`.length, end };
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|');
  return cells.map((cell) => cell.trim().replaceAll('`', ''));
}
