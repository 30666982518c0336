import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleForPage } from '@gatehouse/build';

/** Writes the client as its tarball contains it, but without type declarations, because compiling them takes long. */
export async function writeClient(folder: string): Promise<void> {
  const e2e = fileURLToPath(new URL('../../', import.meta.url));
  const { first, chunks } = await bundleForPage(`export * from 'gatehouse-client';`, e2e);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'index.js'), first);
  for (const [path, text] of chunks) await writeFile(join(folder, path), text);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
}
