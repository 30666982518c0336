import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { ROOT } from '../write-generated.ts';

/**
 * Reads the table between `<!-- name -->` and `<!-- /name -->` in a document of the repository. Returns its cells
 * without the header row and without code ticks.
 *
 * @param path from the repository's root.
 * @throws {Error} if the document has no such table.
 */
export function readTable(path: string, name: string): string[][] {
  return tableIn(readFileSync(new URL(path, ROOT), 'utf8'), path, name);
}

/** Reads a table as `readTable` does, from the text of a document. */
export function tableIn(text: string, path: string, name: string): string[][] {
  const { start, end } = placeOf(text, path, name);
  const lines = text.slice(start, end).split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return rows;
}

/**
 * A document of the repository whose tables between `<!-- name -->` and `<!-- /name -->` have these rows, the head
 * first.
 *
 * @param path from the repository's root.
 * @throws {Error} when the document has no such place.
 */
export async function withTables(
  path: string,
  tables: Readonly<Record<string, readonly string[][]>>,
): Promise<string> {
  let text = readFileSync(new URL(path, ROOT), 'utf8');
  for (const [name, [head = [], ...others]] of Object.entries(tables)) {
    const { start, end } = placeOf(text, path, name);
    const lines = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`);
    text = `${text.slice(0, start)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`;
  }
  return format(text, { parser: 'markdown' });
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
