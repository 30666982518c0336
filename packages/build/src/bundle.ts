import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BuildFailure, BuildOptions, Metafile, OutputFile, Plugin } from 'esbuild';

/** Why nothing was built, in lines for a person: which file, which line. */
export class BuildFailed extends Error {
  override name = 'BuildFailed';
}

export interface Bundles {
  files: OutputFile[];
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

/** The thread that Piscina starts, which looks for it beside itself. */
export const PISCINA_WORKER = 'piscina-worker.mjs';
const PISCINA = /[\\/]piscina[\\/]dist[\\/]index\.js$/;

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
  outExtension: { '.js': '.mjs' },
  banner: { js: COMMON_JS },
  sourcemap: 'linked',
  // Lines are enough: the sources themselves are no part of what is shipped.
  sourcesContent: false,
  // The licences of all that is bundled are written beside it.
  legalComments: 'none',
  external: NEVER_LOADED,
  // Whatever tsconfig.json is near, or is missing, as in an image.
  tsconfigRaw: { compilerOptions: { target: 'es2023', verbatimModuleSyntax: true } },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/**
 * Bundles each entry, its dependencies included, into `<outdir>/<name>.mjs`, in memory.
 *
 * @throws {BuildFailed} with the compiler's words.
 */
export async function bundle(root: string, entries: Record<string, string>): Promise<Bundles> {
  // It is written in Go, and spends a fifth of its time on collecting garbage, unless it is told to do so later.
  process.env['GOGC'] ??= '400';
  // Loaded here alone, as it takes longer than finding out that there is nothing to build.
  const { build, formatMessages } = await import('esbuild');
  const plugins = [piscinaWorker()];
  try {
    const { outputFiles, metafile, warnings } = await build({
      ...OPTIONS,
      absWorkingDir: root,
      entryPoints: entries,
      outdir: join(root, 'dist'),
      plugins,
    });
    if (warnings.length > 0) {
      throw new BuildFailed((await formatMessages(warnings, { kind: 'warning' })).join(''));
    }
    return { files: outputFiles, outputs: metafile.outputs };
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

/** Where Piscina's thread is, seen from a package's file that is bundled. */
export function piscinaWorkerOf(inputs: string[], root: string): string | undefined {
  const piscina = inputs.find((input) => PISCINA.test(input));
  return piscina === undefined ? undefined : createRequire(join(root, piscina)).resolve('./worker.js');
}
