import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StackError } from '../command.ts';
import { searchPath, type Binaries } from '../install/programs.ts';
import type { User } from '../processes/supervisor.ts';
import type { Ports } from '../stack/ports.ts';

/** What servers are made of. */
export interface Place {
  binaries: Binaries;
  /** The folder of their data. */
  directory: string;
  ports: Ports;
  /** The passwords of their superusers. */
  passwordOf: (server: 'postgres-superuser' | 'redis' | 'rabbitmq') => string;
  /** Data is not made durable. */
  throwAway: boolean;
}

const ELSEWHERE = '/var/lib/gatehouse';

/**
 * The folder of the servers' data: `data` within the given folder. Servers started by root run as separate users,
 * which may not be allowed to enter a clone below /root. In that case the data is in a folder for this clone below
 * /var/lib, and `data` is a link to it.
 */
export function dataDirectory(directory: string): string {
  const inside = join(directory, 'data');
  makeFolder(directory, 0o711);
  if (process.getuid?.() !== 0 || isOpenTo(directory)) return makeFolder(inside, 0o711);
  const outside = elsewhere(directory);
  makeFolder(ELSEWHERE, 0o711);
  makeFolder(outside, 0o711);
  const found = lstatSync(outside);
  if (!found.isDirectory() || found.uid !== 0)
    throw new StackError(`${outside} is not owned by root`, 'Remove it and try again.');
  if (lstatSync(inside, { throwIfNoEntry: false }) === undefined) symlinkSync(outside, inside);
  return outside;
}

/** Removes the folder, including the data. */
export function removeFolder(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  if (process.getuid?.() === 0) rmSync(elsewhere(directory), { recursive: true, force: true });
}

/** Creates the folder for this user with exactly this mode, regardless of the umask. */
export function makeFolder(path: string, mode: number, user?: User): string {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  chownTo(path, user);
  return path;
}

/**
 * A path to the folder in ASCII without an apostrophe: its own, or that of a link among the temporary files.
 *
 * @throws {StackError} if somebody else has created another link there.
 */
export function plainPathTo(folder: string): string {
  if (isPlain(folder)) return folder;
  const link = join(tmpdir(), `gatehouse-${shortHash(folder)}`);
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(folder, link);
  const found = lstatSync(link);
  const isOwn = found.isSymbolicLink() && found.uid === process.getuid?.() && readlinkSync(link) === folder;
  if (isOwn && isPlain(link)) return link;
  throw new StackError(
    `RabbitMQ cannot use ${folder}, and ${link} is no usable link to it`,
    'Remove the link, or use a folder whose path has only ASCII characters and no apostrophe.',
  );
}

function isPlain(path: string): boolean {
  return /^[ -&(-~]*$/.test(path);
}

/** A name for what belongs to this folder alone. */
export function shortHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

/** Whether all users may enter the folder and its parents. */
function isOpenTo(path: string): boolean {
  if ((statSync(path).mode & 0o001) === 0) return false;
  return path === dirname(path) || isOpenTo(dirname(path));
}

function elsewhere(directory: string): string {
  return join(ELSEWHERE, shortHash(directory));
}

/** The first that exists, if we are root: Postgres refuses to run as root, and no server here needs to. */
function userFor(names: readonly string[]): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Writes a file for its owner alone, as a whole: nobody reads half of it. Returns its path. */
export function replaceFile(path: string, text: string, mode = 0o600, user?: User): string {
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, text, { mode });
  chownTo(`${path}.new`, user);
  renameSync(`${path}.new`, path);
  return path;
}

function chownTo(path: string, user: User | undefined): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

export type Home = ReturnType<typeof makeHome>;

/**
 * Creates the folder of a server, which runs as the first of these users that exists, if we are root. Its environment
 * contains nothing of the caller's, because PGDATA, RABBITMQ_NODENAME or MAILDEV_IP there belong to other servers.
 * `pathTo` may lead to the folder in another way.
 */
export function makeHome(
  folder: string,
  users: readonly string[] = [],
  pathTo = (path: string): string => path,
) {
  const user = userFor(users);
  const path = pathTo(makeFolder(folder, 0o700, user));
  const env = { PATH: searchPath(), HOME: path, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  return {
    path,
    process: { env, cwd: path, user },
    folder: (name: string) => makeFolder(join(path, name), 0o700, user),
    /** As `replaceFile`, for the server alone. */
    write: (name: string, text: string, mode?: number) => replaceFile(join(path, name), text, mode, user),
  };
}
