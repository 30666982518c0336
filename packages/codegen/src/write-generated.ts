import { writeFile } from 'node:fs/promises';

/** The root folder of the repository. */
export const ROOT = new URL('../../../', import.meta.url);

/** Writes a generated file. Its name is its path from the root. */
export async function writeGenerated([name, text]: readonly [name: string, text: string]): Promise<void> {
  await writeFile(new URL(name, ROOT), text);
  process.stdout.write(`✓ ${name}\n`);
}
