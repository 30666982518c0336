import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { BuildFailed } from './bundle.ts';

/** One of our modules that is loaded on demand: `await import('./open-telemetry.ts')`. */
const LOADED_LATER = /\bimport\('\.\/([\w-]+)\.ts'\)/g;

/** A file that a source reads from its own folder: `new URL('grants.sql', import.meta.url)`. */
const DATA_FILE = /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g;

export interface DataFiles {
  /** Files and folders to copy next to the bundle, by name. */
  copied: Map<string, string>;
  /** Modules that run on separate threads or are loaded on demand, to be bundled next to it. */
  modules: Map<string, string>;
}

/**
 * The files that the sources of a bundle read from their own folders. They are copied next to the bundle under the
 * same names, so that the same expression finds them there.
 *
 * @throws {BuildFailed} if a source uses `import.meta` in another form, or if two sources use one name for different
 * files.
 */
export function dataFilesOf(root: string, sources: string[]): DataFiles {
  const found: DataFiles = { copied: new Map(), modules: new Map() };
  for (const source of sources) {
    const text = readFileSync(join(root, source), 'utf8');
    const names = [...text.matchAll(DATA_FILE)].map(([, name = '']) => name);
    if (names.length !== text.split('import.meta').length - 1) {
      throw new BuildFailed(`${source}: import.meta is for new URL('name', import.meta.url) alone`);
    }
    for (const name of names) put(found, root, { source, name });
    for (const [, name = ''] of text.matchAll(LOADED_LATER)) {
      keep(found.modules, `${name}.mjs`, join(dirname(source), `${name}.ts`));
    }
  }
  return found;
}

function put(found: DataFiles, root: string, { source, name }: { source: string; name: string }): void {
  const path = join(dirname(source), name).replace(/[\\/]$/, '');
  const file = basename(path);
  const isBeside = dirname(path) === dirname(source) && statSync(join(root, path), { throwIfNoEntry: false });
  if (!isBeside) throw new BuildFailed(`${source}: there is no ${name} beside it`);
  const kind = /^\.[mc]?[jt]s$/.test(extname(file)) ? found.modules : found.copied;
  keep(kind, file, path);
}

function keep(kind: Map<string, string>, file: string, path: string): void {
  const other = kind.get(file);
  if (other !== undefined && other !== path) throw new BuildFailed(`${other} and ${path} have one name`);
  kind.set(file, path);
}
