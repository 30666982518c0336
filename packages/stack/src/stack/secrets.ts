import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './data-directory.ts';

/** Secrets of one stack, each in a file that its owner alone may read; made at first use. */
export interface Secrets {
  value(name: string, bytes?: number): string;
  /** The file, for settings that take one (`NAME_FILE`). */
  file(name: string, bytes?: number): string;
  /** Where a file of that name is or would be, without making one. */
  path(name: string): string;
  /** Keeps a value that was made elsewhere, in the place of any former one. */
  keep(name: string, value: string): void;
}

/** The secrets in a folder. They are hexadecimal, so that they need no escaping in URLs and configurations. */
export function openSecrets(folder: string): Secrets {
  makeFolder(folder, 0o700);
  const path = (name: string): string => join(folder, name);
  const keep = (name: string, value: string): void => {
    // Moved into place whole: half a secret would never match what was made with it.
    writeFileSync(path(`${name}.new`), value, { mode: 0o600 });
    renameSync(path(`${name}.new`), path(name));
  };
  const file = (name: string, bytes = 32): string => {
    if (!existsSync(path(name))) keep(name, randomBytes(bytes).toString('hex'));
    return path(name);
  };
  return { path, file, keep, value: (name, bytes) => readFileSync(file(name, bytes), 'utf8').trim() };
}
