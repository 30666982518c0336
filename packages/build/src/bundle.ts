import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import type { BuildFailure, BuildOptions, BuildResult, Message, Metafile, Plugin } from 'esbuild';

/** Why nothing was built: lines for the user, with file and line number. */
export class BuildFailed extends Error {
  override name = 'BuildFailed';
}

export interface Bundles {
  files: { path: string; contents: string | Uint8Array }[];
  outputs: Metafile['outputs'];
}

/** Drivers of other databases and native variants, which knex, pg and Piscina load only if configured. */
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
 * Parts of packages that are loaded only on demand, which never happens: knex's support for other databases, and the
 * tables of iconv-lite (a dependency of Express) for Chinese, Japanese and Korean encodings. Our bodies are UTF-8.
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

/** The platform packages that the loaders require, which are not bundled. */
const NATIVE_PACKAGES = ['@node-rs/argon2-*'];

/** Piscina starts its thread from `worker.js` in its own folder, which is not a module wherever the bundle is. */
export const PISCINA_WORKER = 'piscina-worker.mjs';
export const PISCINA_START = { name: 'worker.js', text: `import('./${PISCINA_WORKER}');\n` };
const PISCINA = /[\\/]piscina[\\/]dist[\\/]index\.js$/;

/** The same modules that `dataFilesOf` finds. */
const LATER = /^\.\/[\w-]+\.ts$/;

/** Globals that CommonJS packages expect and ES modules lack. */
const COMMON_JS = `import { createRequire as commonJsRequire } from 'node:module';
const require = commonJsRequire(import.meta.url);
const __dirname = import.meta.dirname;`;

const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  // The oldest supported version.
  target: 'node20.19',
  // A character above U+00FF would double the memory that V8 needs for the source.
  charset: 'ascii',
  // V8 parses the whole source at each start. Names stay, also those of classes, which minified syntax would drop:
  // packages tell classes apart by them.
  minifyWhitespace: true,
  // Node prints the line of an uncaught error.
  lineLimit: 300,
  outExtension: { '.js': '.mjs' },
  banner: { js: COMMON_JS },
  sourcemap: 'linked',
  // Line numbers are enough: sources are not shipped. For packages even line numbers are omitted (`ownSourceMap`).
  sourcesContent: false,
  // The licences of all bundled packages are written to a file next to the bundle.
  legalComments: 'none',
  external: [...NEVER_LOADED, ...PARTS_NEVER_LOADED, ...NATIVE_PACKAGES],
  // Independent of any tsconfig.json nearby. In an image there is none.
  tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles each entry with its dependencies into `<outdir>/<name>.mjs`, in memory. With `prefersModules`, packages
 * without `exports` are bundled from their ES modules, from which unused code is removed.
 *
 * @throws {BuildFailed} with the output of the compiler.
 */
export async function bundle(
  root: string,
  entries: Record<string, string>,
  { prefersModules = false } = {},
): Promise<Bundles> {
  // esbuild is written in Go. A higher GC threshold saves a fifth of its time.
  process.env['GOGC'] ??= '400';
  const { outputFiles, metafile } = await compiled({
    ...OPTIONS,
    absWorkingDir: root,
    entryPoints: entries,
    outdir: join(root, 'dist'),
    plugins: [loadedLater(), inItsPlace(root)],
    ...(prefersModules && { mainFields: ['module', 'main'] }),
  });
  const files = outputFiles.map(({ path, contents, text }) => ({
    path,
    contents: path.endsWith('.map') ? ownSourceMap(text) : contents,
  }));
  return { files, outputs: metafile.outputs };
}

type InMemory = { metafile: true; write: false };

/** @throws {BuildFailed} with the output of the compiler, also for a warning. */
export async function compiled(options: BuildOptions & InMemory): Promise<BuildResult<InMemory>> {
  // Imported only here, because loading it takes longer than checking that there is nothing to build.
  const { build, formatMessages } = await import('esbuild');
  const failed = async (messages: Message[], kind: 'error' | 'warning') =>
    new BuildFailed((await formatMessages(messages, { kind })).join(''));
  const result = await build(options).catch(async (error: Error & Partial<BuildFailure>) => {
    throw error.errors === undefined ? error : await failed(error.errors, 'error');
  });
  if (result.warnings.length > 0) throw await failed(result.warnings, 'warning');
  return result;
}

/** Stops the compiler's process, which would otherwise run as long as this one. */
export async function stopCompiler(): Promise<void> {
  const { stop } = await import('esbuild');
  await stop();
}

/** Our modules that are imported on demand are built next to the bundle, and cost nothing until they are loaded. */
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

/** Sources of the launcher, which runs in this repository alone and finds everything from where they are. */
export const IN_ITS_PLACE = /packages[\\/](?:build|dev)[\\/]src[\\/].*\.ts$/;

/** Their `import.meta.url` stays that of the source. */
function inItsPlace(root: string): Plugin {
  return {
    name: 'in-its-place',
    setup(build) {
      build.onLoad({ filter: IN_ITS_PLACE }, ({ path }) => {
        const url = `new URL(${JSON.stringify(`../../${relative(root, path)}`)}, import.meta.url).href`;
        return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url), loader: 'ts' };
      });
    },
  };
}

/** The path of Piscina's thread, if a file of that package is among the inputs. */
export function piscinaWorkerOf(inputs: string[], root: string): string | undefined {
  const piscina = inputs.find((input) => PISCINA.test(input));
  return piscina === undefined ? undefined : createRequire(join(root, piscina)).resolve('./worker.js');
}

/**
 * Packages with a native module for each platform. Their loaders look for `<name>.<platform>.node` next to themselves
 * before they load the package of the platform. So the module is copied next to the bundle, and these packages are not
 * bundled.
 */
const LOADER = /node_modules\/@node-rs\/argon2\/index\.js$/;

/** The native modules that some inputs of a bundle load, for the installed platforms; as paths from the root. */
export function nativeModulesOf(root: string, inputs: readonly string[]): string[] {
  return inputs
    .filter((input) => LOADER.test(input))
    .flatMap((input) => {
      const { resolve } = createRequire(join(root, input));
      const manifest = JSON.parse(readFileSync(join(root, dirname(input), 'package.json'), 'utf8')) as {
        optionalDependencies?: Record<string, string>;
      };
      return Object.keys(manifest.optionalDependencies ?? {}).flatMap((name) => {
        try {
          const path = resolve(name);
          return basename(path).endsWith('.node') ? [relative(root, path)] : [];
        } catch {
          return []; // for another platform
        }
      });
    });
}

/** The fields of a source map (ECMA-426) that are used here. */
interface SourceMap {
  sources: string[];
  mappings: string;
}

/**
 * Removes the mappings into packages from a source map, nine tenths of it, and the mappings of columns, four fifths of
 * the rest. On the first stack trace Node parses the whole map, which blocks everything else, and then keeps it in
 * memory. Without them, the lines of packages are shown as lines of the bundle, and all columns as 1.
 */
export function ownSourceMap(json: string): string {
  const map = JSON.parse(json) as SourceMap; // written by esbuild
  const sources = map.sources.filter((source) => !source.includes('node_modules/'));
  const numbers = new Map(sources.map((source, number) => [map.sources.indexOf(source), number]));
  let [lastSource, lastLine]: [number | undefined, number] = [undefined, 0];
  const mappings = decode(map.mappings).map((line) =>
    line.flatMap(([column, from = -1, sourceLine = 0]): SourceMapSegment[] => {
      const source = numbers.get(from);
      // What continues the line of the source needs no mapping. Code of packages needs one without a source where it
      // begins: otherwise all that follows, even on later lines, would belong to the previous source.
      if (source === lastSource && (source === undefined || sourceLine === lastLine)) return [];
      [lastSource, lastLine] = [source, sourceLine];
      return [source === undefined ? [column] : [column, source, sourceLine, 0]];
    }),
  );
  return JSON.stringify({ ...map, sources, names: [], mappings: encode(mappings) });
}
