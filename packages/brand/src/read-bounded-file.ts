import { readFileSync, statSync } from 'node:fs';

/** The bytes of a file, or what is wrong with it: a path may name a device, or a file that fills the memory. */
export function readBoundedFile(path: string, bytesMax: number): { bytes: Buffer } | { fault: string } {
  try {
    const file = statSync(path);
    if (!file.isFile()) return { fault: 'is not a file' };
    if (file.size > bytesMax) return { fault: `is larger than ${bytesMax / 1024} KB` };
    return { bytes: readFileSync(path) };
  } catch (error) {
    return { fault: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})` };
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
