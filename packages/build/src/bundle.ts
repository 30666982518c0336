import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BuildFailure, BuildOptions, Metafile, Plugin } from 'esbuild';
import { NATIVE_PACKAGES } from './native-modules.ts';
import { ownSourceMap } from './own-source-map.ts';

/** Why nothing was built, in lines for a person: which file, which line. */
export class BuildFailed extends Error {
  override name = 'BuildFailed';
}

export interface Bundles {
  files: { path: string; contents: string | Uint8Array }[];
  outputs: Metafile['outputs'];
}

/** Drivers of other databases and native variants, which knex, pg and Piscina load where they are asked to. Nobody asks. */
export const NEVER_LOADED = [
  '@napi-rs/nice',
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

/**
 * Parts of packages that are loaded when they are asked for, which nobody does: what knex has for other databases, and
 * tables of iconv-lite, which Express brings along, for bodies in Chinese, Japanese and Korean encodings. Ours are UTF-8.
 */
export const PARTS_NEVER_LOADED = [
  './better-sqlite3',
  './cockroachdb',
  './mariadb',
  './mssql',
  './mysql',
  './mysql2',
  './oracle',
  './oracledb',
  './pgnative',
  './redshift',
  './sqlite3',
  './tables/*.json',
];

/** The worker thread of Piscina, which looks for it in its own folder. */
export const PISCINA_WORKER = 'piscina-worker.mjs';
const PISCINA = /[\\/]piscina[\\/]dist[\\/]index\.js$/;

/** As `dataFilesOf` finds them. */
const LATER = /^\.\/[\w-]+\.ts$/;

/** What packages in CommonJS find there, and modules do not have. */
const COMMON_JS = `import { createRequire as commonJsRequire } from 'node:module';
const require = commonJsRequire(import.meta.url);
const __dirname = import.meta.dirname;`;

const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  // The oldest that we run on.
  target: 'node20.19',
  // Not a sequence of six characters for each letter beyond ASCII: tables of encodings are full of them.
  charset: 'utf8',
  outExtension: { '.js': '.mjs' },
  banner: { js: COMMON_JS },
  sourcemap: 'linked',
  // Lines are enough: the sources themselves are no part of what is shipped. Of packages not even those (`ownSourceMap`).
  sourcesContent: false,
  // The licences of all bundled packages are written next to it.
  legalComments: 'none',
  external: [...NEVER_LOADED, ...PARTS_NEVER_LOADED, ...NATIVE_PACKAGES],
  // Whatever tsconfig.json is near, or is missing, as in an image.
  tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles each entry, its dependencies included, into `<outdir>/<name>.mjs`, in memory. `prefersModules` takes what
 * packages without `exports` have as ES modules, of which what is not used is left out.
 *
 * @throws {BuildFailed} with the compiler's words.
 */
export async function bundle(
  root: string,
  entries: Record<string, string>,
  { prefersModules = false } = {},
): Promise<Bundles> {
  // esbuild is written in Go; a higher GC threshold saves a fifth of its time.
  process.env['GOGC'] ??= '400';
  // Loaded here alone, as it takes longer than finding out that there is nothing to build.
  const { build, formatMessages } = await import('esbuild');
  const plugins = [piscinaWorker(), loadedLater()];
  try {
    const { outputFiles, metafile, warnings } = await build({
      ...OPTIONS,
      absWorkingDir: root,
      entryPoints: entries,
      outdir: join(root, 'dist'),
      plugins,
      ...(prefersModules && { mainFields: ['module', 'main'] }),
    });
    if (warnings.length > 0) {
      throw new BuildFailed((await formatMessages(warnings, { kind: 'warning' })).join(''));
    }
    const files = outputFiles.map(({ path, contents, text }) => ({
      path,
      contents: path.endsWith('.map') ? ownSourceMap(text) : contents,
    }));
    return { files, outputs: metafile.outputs };
  } catch (error) {
    if (error instanceof BuildFailed) throw error;
    const { errors } = error as Partial<BuildFailure>; // what esbuild throws
    if (errors === undefined) throw error;
    throw new BuildFailed((await formatMessages(errors, { kind: 'error' })).join(''));
  }
}

/** Ends the compiler's own process, which would stay as long as this one does. */
export async function stopCompiler(): Promise<void> {
  const { stop } = await import('esbuild');
  await stop();
}

/** Gives the thread's file the name under which it is built. */
function piscinaWorker(): Plugin {
  return {
    name: 'piscina-worker',
    setup(build) {
      build.onLoad({ filter: PISCINA }, async ({ path }) => {
        const { readFile } = await import('node:fs/promises');
        const text = await readFile(path, 'utf8');
        const contents = text.replace(`__dirname, 'worker.js'`, `__dirname, '${PISCINA_WORKER}'`);
        return contents === text
          ? { errors: [{ text: 'Piscina starts its thread in another way now' }] }
          : { contents };
      });
    },
  };
}

/** Leaves our own modules that are loaded later out of the bundle: each is built beside it, and costs nothing until then. */
function loadedLater(): Plugin {
  return {
    name: 'loaded-later',
    setup(build) {
      build.onResolve({ filter: LATER }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, '.mjs'), external: true } : undefined,
      );
    },
  };
}

/** Where Piscina's thread is, seen from a package's file that is bundled. */
export function piscinaWorkerOf(inputs: string[], root: string): string | undefined {
  const piscina = inputs.find((input) => PISCINA.test(input));
  return piscina === undefined ? undefined : createRequire(join(root, piscina)).resolve('./worker.js');
}
