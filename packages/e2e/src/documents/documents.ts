import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDERS = ['.', 'docs', ...roomsIn('docs'), ...roomsIn('packages'), ...roomsIn('services')];

/** Every page of the repository, by its path from the root. */
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

/** Where a page's links within the repository lead: paths from its root, with the heading if one is named. */
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

/** The names by which a page's headings can be linked to, as GitHub makes them. */
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

/** Files and folders of the repository that a text names in code ticks, in full. */
export function pathsNamedIn(text: string): string[] {
  const named = withoutCode(text).matchAll(/`((?:packages|services|docs)\/[\w./-]+)`/g);
  return [...named].map(([, path = '']) => path);
}

/** What is written in TypeScript, but for tests, and the room that it stands in. */
export function sources(): { room: string; text: string }[] {
  return [...roomsIn('packages'), ...roomsIn('services')]
    .filter((room) => exists(join(room, 'src')))
    .flatMap((room) =>
      readdirSync(join(root, room, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing/.test(name))
        .map((name) => ({ room, text: readPage(join(room, 'src', name)) })),
    );
}

function roomsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}

/** What stands in fences is for terminals and editors, and names what it likes. */
function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
}
