import { readFileSync, statSync } from 'node:fs';

export type BoundedFile = { kind: 'read'; bytes: Buffer } | { kind: 'fault'; fault: string };

/** Reads a regular file of limited size. A path may lead to a device, or to a file that would fill the memory. */
export function readBoundedFile(path: string, bytesMax: number): BoundedFile {
  try {
    const file = statSync(path);
    if (!file.isFile()) return { kind: 'fault', fault: 'is not a file' };
    if (file.size > bytesMax) return { kind: 'fault', fault: `is larger than ${bytesMax / 1024} KB` };
    return { kind: 'read', bytes: readFileSync(path) };
  } catch (error) {
    return { kind: 'fault', fault: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})` };
  }
}

/** The text of a file; `undefined` if its bytes are not valid UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
