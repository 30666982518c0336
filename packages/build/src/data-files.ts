import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { BuildFailed } from './bundle.ts';

/** What a source finds beside itself: `new URL('grants.sql', import.meta.url)`. */
const BESIDE = /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g;

export interface DataFiles {
  /** Files and folders, by their names, to be copied beside the bundle. */
  copied: Map<string, string>;
  /** Modules that run on threads of their own, to be bundled beside it. */
  modules: Map<string, string>;
}

/**
 * What the sources of a bundle find beside themselves. It lies beside the bundle then, under the same name, so that the
 * same words find it there.
 *
 * @throws {BuildFailed} where a source asks `import.meta` in other words, or two mean different files by one name.
 */
export function dataFilesOf(root: string, sources: string[]): DataFiles {
  const found: DataFiles = { copied: new Map(), modules: new Map() };
  for (const source of sources) {
    const text = readFileSync(join(root, source), 'utf8');
    const names = [...text.matchAll(BESIDE)].map(([, name = '']) => name);
    if (names.length !== text.split('import.meta').length - 1) {
      throw new BuildFailed(`${source}: import.meta is for new URL('name', import.meta.url) alone`);
    }
    for (const name of names) put(found, root, { source, name });
  }
  return found;
}

function put(found: DataFiles, root: string, { source, name }: { source: string; name: string }): void {
  const path = join(dirname(source), name).replace(/[\\/]$/, '');
  const file = basename(path);
  const isBeside = dirname(path) === dirname(source) && statSync(join(root, path), { throwIfNoEntry: false });
  if (!isBeside) throw new BuildFailed(`${source}: there is no ${name} beside it`);
  const kind = /^\.[mc]?[jt]s$/.test(extname(file)) ? found.modules : found.copied;
  const other = kind.get(file);
  if (other !== undefined && other !== path) throw new BuildFailed(`${other} and ${path} have one name`);
  kind.set(file, path);
}
