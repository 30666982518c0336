import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fchownSync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { PrivateJwk } from './keys.ts';

/** Writes a new key set, readable by its owner alone; refuses to overwrite. */
export function createKeysFile(file: string, keys: PrivateJwk[]): void {
  writeDurably(file, keys, () => {});
}

/**
 * Replaces a key set in one step, so that a process which reads it again finds the old or the new one, never
 * half of one. Mode and owner stay: a set rotated by root must remain readable by the service.
 */
export function replaceKeysFile(file: string, keys: PrivateJwk[]): void {
  const target = realpathSync(file);
  const { mode, uid, gid } = statSync(target);
  const temporary = `${target}.${randomUUID()}`;
  try {
    writeDurably(temporary, keys, (descriptor) => {
      const own = process.getuid?.() === uid && process.getgid?.() === gid;
      if (!own) fchownSync(descriptor, uid, gid);
      fchmodSync(descriptor, mode & 0o777);
    });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeDurably(file: string, keys: PrivateJwk[], prepare: (descriptor: number) => void): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    prepare(descriptor);
    writeFileSync(descriptor, `${JSON.stringify({ keys }, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
