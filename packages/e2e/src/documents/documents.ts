import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDERS = ['.', 'docs', ...roomsIn('docs'), ...roomsIn('packages'), ...roomsIn('services')];

/** All Markdown pages of the repository, as paths from its root. */
export function pages(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => normalize(join(folder, name))),
  ).toSorted();
}

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function exists(path: string): boolean {
  return existsSync(join(root, path));
}

/** The targets of a page's links within the repository: paths from its root, with the heading if one is given. */
export function linksOf(page: string): { path: string; anchor: string | undefined }[] {
  const links = withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

/** The anchors of a page's headings, as GitHub creates them. */
export function anchorsOf(page: string): Set<string> {
  const headings = withoutCode(readPage(page)).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Files and folders of the repository that a text names in code ticks, with their full path. */
export function pathsIn(text: string): string[] {
  const named = withoutCode(text).matchAll(/`((?:packages|services|docs)\/[\w./-]+)`/g);
  return [...named].map(([, path = '']) => path);
}

/** The blocks of code in this language in a page. */
export function blocksIn(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`{3}${language}\n([^]*?)^\`{3}$`, 'gm'));
  return [...blocks].map(([, text = '']) => text);
}

export function codeIn(text: string): string {
  return (text.match(FENCED) ?? []).join('\n');
}

export function examples(): [path: string, text: string][] {
  return filesIn('examples')
    .filter((path) => !path.includes('node_modules') && /\.\w+$/.test(path))
    .map((path) => [path, readPage(path)]);
}

export function filesIn(folder: string): string[] {
  if (!exists(folder)) return [];
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** The sources in a folder, except tests and what they use. */
export function sourcesIn(folder: string, kind = /\.ts$/): { path: string; text: string }[] {
  return filesIn(folder)
    .filter((path) => kind.test(path) && !/\.test\.ts$|\/testing/.test(path))
    .map((path) => ({ path, text: readPage(path) }));
}

export function sources(kind?: RegExp): { room: string; path: string; text: string }[] {
  return [...roomsIn('packages'), ...roomsIn('services')].flatMap((room) =>
    sourcesIn(`${room}/src`, kind).map((source) => ({ room, ...source })),
  );
}

export function roomsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}

/** Removes fenced code: it is for terminals and editors, and may contain any names. */
export function withoutCode(text: string): string {
  return text.replaceAll(FENCED, '');
}

const FENCED = /^ *```[\s\S]*?^ *```$/gm;
