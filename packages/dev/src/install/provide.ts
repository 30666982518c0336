import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { command, printProgress, StackError, type Progress } from '../command.ts';
import { findBinaries, MANAGERS, packageOf, PROGRAM_NAMES, PROGRAMS, SERVERS, which } from './programs.ts';
import type { PackageManager, ProgramName } from './programs.ts';

/** Finds programs, by default the servers of a stack, or installs them. @throws {StackError} saying how to get them. */
export async function provide<Name extends ProgramName = (typeof SERVERS)[number]>(
  progress: Progress,
  names: readonly Name[] = SERVERS as readonly ProgramName[] as readonly Name[], // by default Name is one of them
): Promise<Record<Name, string>> {
  const before = findBinaries();
  const missing = names.filter((name) => before[name] === undefined);
  if (missing.length > 0) {
    const installation = installationOf(missing, machine());
    await progress.step(`install ${titles(missing)}`, () => install(installation));
  }
  const found = findBinaries();
  const still = names.filter((name) => found[name] === undefined);
  if (still.length > 0) {
    throw new StackError(
      `Installed, but not found: ${titles(still)}`,
      'Add the programs to PATH, or run: docker compose up',
    );
  }
  return found as Record<Name, string>; // all names were found
}

function titles(names: readonly ProgramName[]): string {
  return names.map((name) => PROGRAMS[name].title).join(', ');
}

interface Machine {
  manager: PackageManager | undefined;
  privilege: 'root' | 'sudo' | 'none';
}

function machine(): Machine {
  const root = process.getuid?.() === 0;
  const sudo = !root && which('sudo') !== undefined && spawnSync('sudo', ['-n', 'true']).status === 0;
  const managers = Object.keys(MANAGERS) as PackageManager[]; // Object.keys loses the type of the keys
  return {
    manager: managers.find((manager) => which(manager) !== undefined),
    privilege: root ? 'root' : sudo ? 'sudo' : 'none',
  };
}

/** Installs packages, and leaves no daemon behind. */
export const SCRIPT = fileURLToPath(new URL('install.sh', import.meta.url));
const COMPOSE = 'Or, with Docker: docker compose up';

/** The command that installs them. @throws {StackError} saying how to get them, if nothing can be installed. */
export function installationOf(missing: readonly ProgramName[], { manager, privilege }: Machine): string[] {
  const fault = (advice: string): StackError =>
    new StackError(`Not installed on this machine: ${titles(missing)}`, `${advice}\n${COMPOSE}`);
  if (manager === undefined) throw fault("Install it with your system's package manager.");
  const packages = missing.flatMap((name) => packageOf(name, manager).split(' '));
  // Elsewhere servers could be started and enabled by the installation.
  if (manager !== 'apt-get' || privilege === 'none')
    throw fault(`Install it: ${MANAGERS[manager]} ${packages.join(' ')}`);
  const script = ['sh', SCRIPT, ...packages];
  return privilege === 'root' ? script : ['sudo', '-n', ...script];
}

/** Runs in a separate process group: otherwise Ctrl-C could leave packages half installed. */
async function install([program = '', ...args]: string[]): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (child.exitCode === 0) return;
  throw new StackError(
    `apt-get failed:\n${output.slice(-4000).trim()}`,
    'Install the packages manually and try again, or run: docker compose up',
  );
}

/** `npm run servers`: what `npm start` and the tests install when they need it, in one go. */
await command(import.meta.url, async () => {
  await provide(printProgress(), PROGRAM_NAMES);
  process.stdout.write('✓ all servers are installed\n');
});
