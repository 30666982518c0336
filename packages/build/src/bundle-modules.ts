import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundle, stopCompiler } from './bundle.ts';
import { ROOT } from './programs.ts';

/**
 * Bundles modules for the processes that a test starts, each into `<name>.mjs` in a new folder, which it returns. A process
 * loads such a file in a fifth of the time that the sources take.
 */
export async function bundleModules(entries: Record<string, string>): Promise<string> {
  const { files } = await bundle(ROOT, entries);
  await stopCompiler();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-modules-'));
  for (const { path, contents } of files) await writeFile(join(folder, basename(path)), contents);
  return folder;
}
