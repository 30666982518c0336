import { writeFile } from 'node:fs/promises';

export const ROOT = new URL('../../../', import.meta.url);

/** The name is the path from the root. */
export async function writeGenerated([name, text]: readonly [name: string, text: string]): Promise<void> {
  await writeFile(new URL(name, ROOT), text);
  process.stdout.write(`✓ ${name}\n`);
}
