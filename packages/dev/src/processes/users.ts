import { chownSync, readFileSync } from 'node:fs';

/** The system user of a server. */
export interface User {
  uid: number;
  gid: number;
}

/**
 * The first of these system users that exists, if we are root; otherwise undefined. Postgres refuses to run as root,
 * and no server here needs to.
 */
export function userFor(names: readonly string[]): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Gives a file or folder to the user that its server runs as. */
export function chownTo(path: string, user: User | undefined): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}
