import { readFileSync, statSync } from 'node:fs';

/** The bytes of a file, or what is wrong with it. */
export type BoundedFile = { kind: 'read'; bytes: Buffer } | { kind: 'fault'; fault: string };

/** Reads a file that is a file and not too large: a path may name a device, or a file that fills the memory. */
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

/** A file's text; `undefined` where its bytes are no UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
