import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The inputs and outputs of a build: sizes and modification times, by path from the root. */
export interface Stamp {
  programs: Record<string, string>;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
}

export const STAMP = 'dist/build.json';

/** Whether nothing has changed since these programs were built. */
export function isCurrent(root: string, programs: Record<string, string>): boolean {
  const stamp = readStamp(root);
  if (stamp === undefined || JSON.stringify(stamp.programs) !== JSON.stringify(programs)) return false;
  return [stamp.inputs, stamp.outputs].every((files) =>
    Object.entries(files).every(([path, mark]) => markOf(root, path) === mark),
  );
}

/** Changes when the file or the entries of the folder change. Empty if it does not exist. */
function markOf(root: string, path: string): string {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.isDirectory() ? '' : found.size}@${found.mtimeMs}`;
}

/**
 * Inputs that changed after the build had begun may have been read before that, so they get a mark that never matches.
 */
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
