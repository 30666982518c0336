import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundle, stopCompiler } from './bundle.ts';
import { ROOT } from './programs.ts';

/** Each into `<name>.mjs` in a new folder, for the processes of a test: they load in a fifth of the time. */
export async function bundleModules(entries: Record<string, string>): Promise<string> {
  const { files } = await bundle(ROOT, entries);
  await stopCompiler();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-modules-'));
  for (const { path, contents } of files) await writeFile(join(folder, basename(path)), contents);
  return folder;
}

/** `first` is what the page loads, `chunks` what it imports later; imports are resolved from `resolveDir`. */
export async function bundleForPage(
  source: string,
  resolveDir: string,
): Promise<{ first: string; chunks: Map<string, string> }> {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir, loader: 'tsx' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    outdir: '/',
    write: false,
    logLevel: 'silent',
  });
  await stop();
  const chunks = new Map(outputFiles.map(({ path, text }) => [path.replaceAll('\\', '/'), text]));
  const first = chunks.get('/stdin.js');
  if (first === undefined) throw new Error('esbuild made nothing of it');
  chunks.delete('/stdin.js');
  return { first, chunks };
}
