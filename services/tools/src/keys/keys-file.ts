import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fchmodSync, fchownSync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatedJwk } from '@gatehouse/auth-core';

/** Writes a new key set that only its owner can read. Refuses to overwrite a file. */
export function createKeysFile(file: string, keys: readonly DatedJwk[]): void {
  writeDurably(file, textOf(keys), () => {});
}

/** Replaces a key set in the same way as `replaceFile`. */
export function replaceKeysFile(file: string, keys: readonly DatedJwk[]): void {
  replaceFile(file, textOf(keys));
}

/**
 * Replaces a file atomically, so that a process that reads it again gets the old or the new content, but never half of
 * it. Mode and owner do not change, because a set that root rotates must remain readable by the service. A new file is
 * readable only by its owner.
 */
export function replaceFile(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const former = existsSync(target) ? statSync(target) : undefined;
  const temporary = `${target}.${randomUUID()}`;
  try {
    writeDurably(temporary, text, (descriptor) => {
      if (former === undefined) return;
      const own = process.getuid?.() === former.uid && process.getgid?.() === former.gid;
      if (!own) fchownSync(descriptor, former.uid, former.gid);
      fchmodSync(descriptor, former.mode & 0o777);
    });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function textOf(keys: readonly DatedJwk[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

function writeDurably(file: string, text: string, prepare: (descriptor: number) => void): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    prepare(descriptor);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
