import { spawn, spawnSync } from 'node:child_process';
import { command, printProgress, StackError, type Progress } from '../command.ts';
import {
  findBinaries,
  MANAGERS,
  packageOf,
  PROGRAM_NAMES,
  PROGRAMS,
  SERVERS,
  which,
  type PackageManager,
  type ProgramName,
} from './programs.ts';

/**
 * Finds programs on this machine, by default the servers of a stack, and installs missing ones if possible.
 *
 * @throws {StackError} saying how to get them, if they cannot be installed.
 */
export async function provide<Name extends ProgramName = (typeof SERVERS)[number]>(
  progress: Progress,
  names: readonly Name[] = SERVERS as readonly ProgramName[] as readonly Name[], // by default Name is one of them
): Promise<Record<Name, string>> {
  const missing = missingFrom(names, findBinaries());
  if (missing.length > 0) {
    const label = titles(missing);
    const plan = planInstallation(missing, machine());
    if (plan.kind === 'advise') throw new StackError(`Not installed on this machine: ${label}`, plan.advice);
    await progress.step(`install ${label}`, () => install(plan.command, plan.args));
  }
  const found = findBinaries();
  const still = missingFrom(names, found);
  if (still.length > 0) {
    throw new StackError(
      `Installed, but not found: ${titles(still)}`,
      'Add the programs to PATH, or run: docker compose up',
    );
  }
  return found as Record<Name, string>; // all names were found
}

function missingFrom(
  names: readonly ProgramName[],
  found: Partial<Record<ProgramName, string>>,
): ProgramName[] {
  return names.filter((name) => found[name] === undefined);
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

/** How to get missing programs: a command that installs them, or advice for the user. */
type Installation = { kind: 'run'; command: string; args: string[] } | { kind: 'advise'; advice: string };

const COMPOSE = 'Or, with Docker: docker compose up';

/** Decides how the missing programs are installed on this machine. */
export function planInstallation(
  missing: readonly ProgramName[],
  { manager, privilege }: Machine,
): Installation {
  if (manager === undefined) {
    return { kind: 'advise', advice: `Install it with your system's package manager.\n${COMPOSE}` };
  }
  const packages = missing.map((name) => packageOf(name, manager));
  // Elsewhere servers could be started and enabled by the installation.
  if (manager !== 'apt-get' || privilege === 'none') {
    const advice = `Install it: ${MANAGERS[manager]} ${packages.join(' ')}\n${COMPOSE}`;
    return { kind: 'advise', advice };
  }
  const script = installScript(packages);
  return privilege === 'root'
    ? { kind: 'run', command: 'sh', args: ['-c', script] }
    : { kind: 'run', command: 'sudo', args: ['-n', 'sh', '-c', script] };
}

/** Runs in a separate process group: otherwise Ctrl-C could leave packages half installed. */
async function install(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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

/**
 * A shell script that installs Debian packages without leaving a daemon behind: it starts none (policy-rc.d, which
 * Debian's maintainer scripts consult), enables no new one for the next boot, and lets Postgres create no cluster. The
 * script reverts its changes however it ends; this is why it is one script and not several commands. `root` is the
 * parent of the system's folders, for tests.
 */
export function installScript(packages: readonly string[], root = ''): string {
  return `set -eu
policy=${root}/usr/sbin/policy-rc.d
cluster=${root}/etc/postgresql-common/createcluster.d/gatehouse.conf
scripts() { ls ${root}/etc/init.d 2>/dev/null | sort; }
units() { systemctl list-unit-files --state=enabled --no-legend 2>/dev/null | cut -d ' ' -f 1 | sort; }
restore() {
  rm -f "$policy" "$cluster"
  if [ -e "$policy.before-gatehouse" ]; then mv "$policy.before-gatehouse" "$policy"; fi
}
trap restore EXIT
trap 'exit 1' INT TERM HUP
scripts_before=$(scripts) units_before=$(units)
if [ -e "$policy" ] && [ ! -e "$policy.before-gatehouse" ]; then mv "$policy" "$policy.before-gatehouse"; fi
printf '#!/bin/sh\\nexit 101\\n' > "$policy"
chmod 755 "$policy"
mkdir -p "\${cluster%/*}"
echo 'create_main_cluster = false' > "$cluster"
export DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
install() {
  apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends ${packages.join(' ')}
}
if ! install; then
  apt-get -o DPkg::Lock::Timeout=120 update
  install
fi
for script in $(scripts); do
  echo "$scripts_before" | grep -qxF "$script" || update-rc.d "$script" disable || true
done
for unit in $(units); do
  echo "$units_before" | grep -qxF "$unit" || systemctl disable "$unit" || true
done
`;
}

/** `npm run servers`: what `npm start` and the tests install when they need it, in one go. */
await command(import.meta.url, async () => {
  await provide(printProgress(), PROGRAM_NAMES);
  process.stdout.write('✓ all servers are installed\n');
});
