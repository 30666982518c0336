import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnvironment, makeFolder, chownTo, userFor, type User } from './home.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { answersPostgres } from '../processes/probes.ts';
import { StackError } from '../command.ts';

/** The name of the superuser on a private server. */
const SUPERUSER = 'postgres';

/** Data does not survive a crash, nothing waits for the disk, and there are connections for several test processes. */
const THROW_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500'];

/**
 * A private Postgres; its cluster is created if it does not exist. It listens only on 127.0.0.1, with a password. It
 * has no socket file, because the path could be too long or taken.
 */
export async function postgres(options: {
  binaries: string;
  directory: string;
  port: number;
  password: string;
  throwAway: boolean;
  /** `md5` is not secure, but takes a quarter less processor time per connection; for tests only. */
  authentication?: 'scram-sha-256' | 'md5' | undefined;
  /** Added to the usual settings; may override them. */
  settings?: readonly string[];
  /** Makes it a standby of the server with this URL, with this name. */
  standby?: { name: string; of: string };
}): Promise<{ server: ManagedProcess; url: string }> {
  const {
    binaries,
    directory,
    port,
    password,
    throwAway,
    authentication = 'scram-sha-256',
    standby,
  } = options;
  const name = standby?.name ?? 'postgres';
  const user = userFor(['postgres', 'nobody']);
  const home = makeFolder(join(directory, name), 0o700, user);
  const data = join(home, 'data');
  if (standby !== undefined) await copyCluster({ binaries, home, data, user, of: standby.of });
  else if (!existsSync(data)) await makeCluster({ binaries, home, data, password, user, authentication });
  else requireVersion(binaries, data);
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'logging_collector=off',
    // The detail of an error quotes the row that violates a constraint, and rows contain emails.
    'log_error_verbosity=terse',
    ...(throwAway ? THROW_AWAY : []),
    ...(options.settings ?? []),
  ];
  const server: ManagedProcess = {
    name,
    command: join(binaries, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    env: serverEnvironment(home),
    cwd: home,
    user,
    isReady: () => answersPostgres(url),
    // Fast shutdown: rolls back open transactions instead of waiting for them.
    stopSignal: 'SIGINT',
    // Its child processes run in separate sessions, so only Postgres itself can stop all of them.
    abortSignal: 'SIGQUIT',
  };
  return { server, url };
}

/** Copies the cluster of a server and configures the copy as its standby. */
async function copyCluster(options: {
  binaries: string;
  home: string;
  data: string;
  user: User | undefined;
  of: string;
}): Promise<void> {
  const { binaries, home, data, user, of } = options;
  const args = ['-d', of, '-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await run(join(binaries, 'pg_basebackup'), args, { home, user });
}

/** Created in a temporary folder and then moved, so that an interrupted creation is never mistaken for a cluster. */
async function makeCluster(options: {
  binaries: string;
  home: string;
  data: string;
  password: string;
  user: User | undefined;
  authentication: string;
}): Promise<void> {
  const { binaries, home, data, password, user, authentication } = options;
  const unfinished = join(home, 'unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chownTo(passwordFile, user);
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  const access = ['-U', SUPERUSER, '-A', authentication, `--pwfile=${passwordFile}`];
  const args = ['-D', unfinished, '-E', 'UTF8', `--locale=${locale}`, ...access, '--no-sync'];
  try {
    await run(join(binaries, 'initdb'), args, { home, user });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, data);
}

/** @throws {StackError} with the output of the program. */
async function run(
  program: string,
  args: readonly string[],
  { home, user }: { home: string; user: User | undefined },
): Promise<void> {
  const child = spawn(program, args, {
    cwd: home,
    env: serverEnvironment(home),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  let problems = '';
  child.stderr.on('data', (chunk: Buffer) => void (problems += chunk.toString()));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status === 0) return;
  throw new StackError(`Postgres could not create its data directory:\n${problems.trim()}`, `See ${home}.`);
}

/** A cluster can only be opened by its own major version, and the error of Postgres does not say what to do. */
function requireVersion(binaries: string, data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const installed = /postgresql[/@](\d+)/.exec(binaries)?.[1];
  if (installed === undefined || installed === version) return;
  throw new StackError(
    `The data belongs to Postgres ${version}, but Postgres ${installed} is installed`,
    'Install that version too, or discard the data: npm start -- --fresh',
  );
}
