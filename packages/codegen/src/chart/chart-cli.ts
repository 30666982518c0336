import { writeFile } from 'node:fs/promises';
import { chartFiles, plainManifests, ROOT } from './chart-files.ts';

for (const [name, text] of await chartFiles()) await write(name, text);
// Rendered from the files that were written above.
await write(...plainManifests());

async function write(name: string, text: string): Promise<void> {
  await writeFile(new URL(name, ROOT), text);
  process.stdout.write(`✓ ${name}\n`);
}
