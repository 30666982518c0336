import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { ROOT } from '../write-generated.ts';

/**
 * The cells of the table between `<!-- name -->` and `<!-- /name -->`, without header row and code ticks.
 *
 * @throws {Error} if the document at `path`, from the repository's root, has no such table.
 */
export function readTable(path: string, name: string): string[][] {
  const lines = readPart(path, name).split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|')).map(cellsOf);
  return rows;
}

/**
 * Reads the list between `<!-- name -->` and `<!-- /name -->` in a document of the repository: of each item, such as
 * "- `name` (fact; fact): text", the name and the facts, without code ticks.
 */
export function readItems(path: string, name: string): [name: string, facts: string[]][] {
  return itemsIn(readFileSync(new URL(path, ROOT), 'utf8'), path, name);
}

export function itemsIn(text: string, path: string, name: string): [name: string, facts: string[]][] {
  const { start, end } = placeOf(text, path, name);
  const items = text.slice(start, end).matchAll(/^- `([^`]+)`(?:\s+\(([^)]*)\))?/gm);
  return [...items].map(([, item = '', facts = '']) => [
    item,
    facts.replaceAll('`', '').replaceAll(/\s+/g, ' ').split('; '),
  ]);
}

/** The document with these lines between `<!-- name -->` and its end. @throws {Error} if it has no such place. */
export async function withParts(path: string, parts: Readonly<Record<string, readonly string[]>>) {
  let text = readFileSync(new URL(path, ROOT), 'utf8');
  for (const [name, lines] of Object.entries(parts)) {
    const { start, end } = placeOf(text, path, name);
    text = `${text.slice(0, start)}\n\n${lines.join('\n')}\n\n${text.slice(end)}`;
  }
  return format(text, { ...STYLE, parser: 'markdown' });
}

/** The text of a document between `<!-- name -->` and `<!-- /name -->`. */
export function readPart(path: string, name: string): string {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const { start, end } = placeOf(text, path, name);
  return text.slice(start, end);
}

/** As `.prettierrc` has it for documents. */
const STYLE = { printWidth: 100, proseWrap: 'always' } as const;

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
