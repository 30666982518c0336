import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../servers/home.ts';

/** The secrets of one stack, each in a file that only its owner may read. They are generated on first use. */
export interface Secrets {
  value(name: string, bytes?: number): string;
  /** The path of the file, for settings that accept one (`NAME_FILE`). */
  file(name: string, bytes?: number): string;
  /** The path of the file with this name, without creating it. */
  path(name: string): string;
  /** Stores a value that was generated elsewhere, replacing an earlier one. */
  keep(name: string, value: string): void;
}

/** The secrets in a folder. They are hexadecimal, so they need no escaping in URLs and configurations. */
export function openSecrets(folder: string): Secrets {
  makeFolder(folder, 0o700);
  const path = (name: string): string => join(folder, name);
  const keep = (name: string, value: string): void => {
    // Written to a new file and then moved, because half a secret would not match data that depends on it.
    writeFileSync(path(`${name}.new`), value, { mode: 0o600 });
    renameSync(path(`${name}.new`), path(name));
  };
  const file = (name: string, bytes = 32): string => {
    if (!existsSync(path(name))) keep(name, randomBytes(bytes).toString('hex'));
    return path(name);
  };
  return { path, file, keep, value: (name, bytes) => readFileSync(file(name, bytes), 'utf8').trim() };
}
