import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Writes the files, given by path from the root, each atomically (by a rename): a process that starts a program
 * meanwhile, or a concurrent build, finds complete files. Then removes the files of earlier builds from the folders.
 */
export function writeOutputs(root: string, files: Map<string, string | Uint8Array>, folders: string[]): void {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const place = mkdtempSync(join(root, 'dist', '.new-'));
  try {
    for (const [path, contents] of files) {
      const made = join(place, 'file');
      writeFileSync(made, contents);
      mkdirSync(dirname(join(root, path)), { recursive: true });
      renameSync(made, join(root, path));
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  for (const folder of folders) {
    for (const path of filesBelow(root, folder))
      if (!files.has(path)) rmSync(join(root, path), { force: true });
  }
}

/** All files in the folder and its subfolders, as paths from the root. */
export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}
