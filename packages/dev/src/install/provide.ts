import { spawn, spawnSync } from 'node:child_process';
import { findBinaries, which, type Binaries, type BinaryName } from './binaries.ts';
import { PACKAGE_MANAGERS, planInstallation } from './install.ts';
import { type Progress, StackError } from '../command.ts';

const NAMES: Record<BinaryName, string> = {
  postgres: 'Postgres',
  redis: 'Redis',
  rabbitmq: 'RabbitMQ',
  nginx: 'nginx',
  caddy: 'Caddy',
  haproxy: 'HAProxy',
  pgbouncer: 'PgBouncer',
  chromium: 'Chromium',
  prometheus: 'Prometheus',
  apache: 'Apache with its modules for OpenID Connect',
};
/** All programs. */
export const PROGRAM_NAMES = Object.keys(NAMES) as BinaryName[]; // Object.keys loses the type of the keys

/** The servers of a stack; all other programs are for tests. */
export const SERVERS = ['postgres', 'redis', 'rabbitmq', 'nginx'] as const satisfies (keyof Binaries)[];

/**
 * Finds programs on this machine, by default the servers of a stack, and installs missing ones if possible.
 *
 * @throws {StackError} saying how to get them, if they cannot be installed.
 */
export async function provide<Name extends BinaryName = keyof Binaries>(
  progress: Progress,
  names: readonly Name[] = SERVERS as readonly BinaryName[] as readonly Name[], // by default Name is one of them
): Promise<Record<Name, string>> {
  const missing = missingFrom(names, findBinaries());
  if (missing.length > 0) {
    const label = missing.map((name) => NAMES[name]).join(', ');
    const plan = planInstallation(missing, machine());
    if (plan.kind === 'advise') throw new StackError(`Not installed on this machine: ${label}`, plan.advice);
    await progress.step(`install ${label}`, () => install(plan.command, plan.args));
  }
  const found = findBinaries();
  const still = missingFrom(names, found);
  if (still.length > 0) {
    throw new StackError(
      `Installed, but not found: ${still.map((name) => NAMES[name]).join(', ')}`,
      'Add the programs to PATH, or run: docker compose up',
    );
  }
  return found as Record<Name, string>; // all names were found
}

function missingFrom(names: readonly BinaryName[], found: Partial<Record<BinaryName, string>>): BinaryName[] {
  return names.filter((name) => found[name] === undefined);
}

function machine() {
  const root = process.getuid?.() === 0;
  const sudo = !root && which('sudo') !== undefined && spawnSync('sudo', ['-n', 'true']).status === 0;
  return {
    manager: PACKAGE_MANAGERS.find((manager) => which(manager) !== undefined),
    privilege: root ? ('root' as const) : sudo ? ('sudo' as const) : ('none' as const),
  };
}

/** Runs in a separate process group: otherwise Ctrl-C could leave packages half installed. */
async function install(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-4000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (status === 0) return;
  throw new StackError(
    `apt-get failed:\n${output.trim()}`,
    'Install the packages manually and try again, or run: docker compose up',
  );
}
