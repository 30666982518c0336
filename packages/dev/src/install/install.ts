import type { BinaryName } from './binaries.ts';

/** How to get missing programs: a command that installs them, or advice for the user. */
export type Installation =
  { kind: 'run'; command: string; args: string[] } | { kind: 'advise'; advice: string };

const DEBIAN: Record<BinaryName, string> = {
  postgres: 'postgresql',
  redis: 'redis-server',
  rabbitmq: 'rabbitmq-server',
  nginx: 'nginx',
  caddy: 'caddy',
  prometheus: 'prometheus',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  chromium: 'chromium-headless-shell',
};
const HOMEBREW: Record<BinaryName, string> = {
  postgres: 'postgresql@15',
  redis: 'redis',
  rabbitmq: 'rabbitmq',
  nginx: 'nginx',
  caddy: 'caddy',
  prometheus: 'prometheus',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  chromium: 'chromium',
};
const COMPOSE = 'Or, with Docker: docker compose up';

/** Decides how the missing programs are installed on this machine. */
export function planInstallation(
  missing: readonly BinaryName[],
  machine: { platform: NodeJS.Platform; hasAptGet: boolean; privilege: 'root' | 'sudo' | 'none' },
): Installation {
  const packages = missing.map((name) => DEBIAN[name]);
  if (machine.platform === 'darwin') {
    const formulas = missing.map((name) => HOMEBREW[name]).join(' ');
    return { kind: 'advise', advice: `Install it with Homebrew: brew install ${formulas}\n${COMPOSE}` };
  }
  if (!machine.hasAptGet) {
    return { kind: 'advise', advice: `Install it with your system's package manager.\n${COMPOSE}` };
  }
  if (machine.privilege === 'none') {
    return { kind: 'advise', advice: `Install it: sudo apt-get install ${packages.join(' ')}\n${COMPOSE}` };
  }
  const shell = ['sh', '-c', installScript(packages)];
  return machine.privilege === 'root'
    ? { kind: 'run', command: 'sh', args: shell.slice(1) }
    : { kind: 'run', command: 'sudo', args: ['-n', ...shell] };
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
