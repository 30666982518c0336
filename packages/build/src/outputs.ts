import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAMS, ROOT } from './programs.ts';

/** The inputs and outputs of a build: sizes and modification times, by path from the root. */
export interface Stamp {
  programs: Record<string, string>;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
}

export const STAMP = 'dist/build.json';

export interface BuildOptions {
  root?: string;
  /** The programs, by the names of their folders in `dist/`. */
  programs?: Record<string, string>;
}

/** Whether `dist/` is up to date with the sources. Only compares modification times of some hundred files. */
export function isUpToDate({ root = ROOT, programs = PROGRAMS }: BuildOptions = {}): boolean {
  const stamp = readStamp(root);
  if (stamp === undefined || JSON.stringify(stamp.programs) !== JSON.stringify(programs)) return false;
  return [stamp.inputs, stamp.outputs].every((files) =>
    Object.entries(files).every(([path, mark]) => [mark, inWholeSeconds(mark)].includes(markOf(root, path))),
  );
}

/** The mark of the same file in a layer of an image, which keeps no fractions of seconds. */
function inWholeSeconds(mark: string): string {
  return mark.replace(/\d{3}(\.\d+)?$/, '000');
}

/** Changes when the file or the entries of the folder change. Empty if it does not exist. */
function markOf(root: string, path: string): string {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.isDirectory() ? '' : found.size}@${found.mtimeMs}`;
}

/** Inputs that changed after the build had begun may have been read before: they get a mark that never matches. */
export function marksOf(root: string, paths: Iterable<string>, begunMs = Infinity): Record<string, string> {
  return Object.fromEntries(
    [...paths].map((path) => {
      const mark = markOf(root, path);
      return [path, Number(mark.split('@')[1] ?? 0) >= begunMs ? 'changed meanwhile' : mark];
    }),
  );
}

function readStamp(root: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8')) as Stamp; // written by the build
  } catch {
    return undefined;
  }
}

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

/** Sorted paths from the root. Links, as in `node_modules`, are not followed, unlike by `recursive` of Node 26. */
export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(root, path);
      return entry.isFile() ? [path] : [];
    })
    .toSorted();
}
