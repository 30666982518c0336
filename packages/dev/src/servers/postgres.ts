import { execFile } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StackError } from '../command.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { makeHome, type Home, type Place } from './home.ts';
import { answersPostgres } from './probes.ts';

const SUPERUSER = 'postgres';
/** It runs as the first of them that exists. */
export const POSTGRES_USERS = ['postgres', 'nobody'];

/** Data does not survive a crash, nothing waits for the disk, and there are connections for several test processes. */
const THROW_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=500'];

/** It listens only on 127.0.0.1, with a password, and has no socket file, whose path could be too long or taken. */
export async function postgres(
  { binaries: { postgres: programs }, directory, ports: { postgres: port }, passwordOf, throwAway }: Place,
  options: {
    /** `md5` is not secure, but takes a quarter less processor time per connection; for tests only. */
    authentication?: 'scram-sha-256' | 'md5';
    /** Added to the usual settings; may override them. */
    settings?: readonly string[];
    name?: string;
  } = {},
) {
  const { authentication = 'scram-sha-256', name = 'postgres' } = options;
  const password = passwordOf('postgres-superuser');
  const home = makeHome(join(directory, name), POSTGRES_USERS);
  const data = join(home.path, 'data');
  if (existsSync(data)) requireVersion(programs, data);
  else await makeCluster(home, data, { initdb: join(programs, 'initdb'), password, authentication });
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
    command: join(programs, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    ...home.process,
    isReady: () => answersPostgres(url),
    // Fast shutdown: rolls back open transactions instead of waiting for them.
    stopSignal: 'SIGINT',
    // Its child processes run in separate sessions, so only Postgres itself can stop all of them.
    abortSignal: 'SIGQUIT',
  };
  return { server, url };
}

/** Made elsewhere and moved: if interrupted, it is no cluster. @throws {StackError} with the output of the program. */
async function makeCluster(
  home: Home,
  data: string,
  { initdb, password, authentication }: { initdb: string; password: string; authentication: string },
): Promise<void> {
  const { env, cwd, user } = home.process;
  const unfinished = join(home.path, 'unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  const passwordFile = home.write('password', password);
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';
  const access = ['-U', SUPERUSER, '-A', authentication, `--pwfile=${passwordFile}`];
  const args = ['-D', unfinished, '-E', 'UTF8', `--locale=${locale}`, ...access, '--no-sync'];
  try {
    await promisify(execFile)(initdb, args, { env, cwd, ...user });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }; // the error of execFile
    const problems = (stderr ?? '').trim() || message;
    throw new StackError(`Postgres could not create its data directory:\n${problems}`, `See ${home.path}.`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, data);
}

/** A cluster can only be opened by its own major version, and the error of Postgres does not say what to do. */
function requireVersion(programs: string, data: string): void {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const installed = /postgresql[/@](\d+)/.exec(programs)?.[1];
  if (installed === undefined || installed === version) return;
  throw new StackError(
    `The data belongs to Postgres ${version}, but Postgres ${installed} is installed`,
    'Install that version too, or start without the data, which deletes it: npm start -- --fresh',
  );
}
