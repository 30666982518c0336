import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StackError } from '../output/stack-error.ts';
import { chownTo, type User } from '../processes/users.ts';

const ELSEWHERE = '/var/lib/gatehouse';

/**
 * The folder that holds the servers' data: `data` within the given one. Servers that root starts run as users
 * of their own, and these may not get into a clone below /root. Then the data is in a folder of this clone's
 * below /var/lib, and `data` is a link to it.
 */
export function dataDirectory(directory: string): string {
  const inside = join(directory, 'data');
  makeFolder(directory, 0o711);
  if (process.getuid?.() !== 0 || isOpenTo(directory)) return makeFolder(inside, 0o711);
  const outside = elsewhere(directory);
  makeFolder(ELSEWHERE, 0o711);
  makeFolder(outside, 0o711);
  requireOwn(outside);
  if (lstatSync(inside, { throwIfNoEntry: false }) === undefined) symlinkSync(outside, inside);
  return outside;
}

/** Removes the data and all else in the folder. */
export function removeFolder(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  if (process.getuid?.() === 0) rmSync(elsewhere(directory), { recursive: true, force: true });
}

/** Makes the folder with exactly this mode, whatever the umask, for this user. */
export function makeFolder(path: string, mode: number, user?: User): string {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  chownTo(path, user);
  return path;
}

/** Whether everybody may pass through the folder and all above it. */
function isOpenTo(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return path === dirname(path) || isOpenTo(dirname(path));
}

function elsewhere(directory: string): string {
  return join(ELSEWHERE, createHash('sha256').update(directory).digest('hex').slice(0, 12));
}

function requireOwn(path: string): void {
  const found = lstatSync(path);
  if (found.isDirectory() && found.uid === 0) return;
  throw new StackError(`${path} is not owned by root`, 'Remove it and try again.');
}
