import type { BinaryName } from './binaries.ts';

/** How to get missing programs: a command that installs them, or advice for the user. */
export type Installation =
  { kind: 'run'; command: string; args: string[] } | { kind: 'advise'; advice: string };

type Packages = Record<BinaryName, string>;

const NAMES: Packages = {
  postgres: 'postgresql',
  redis: 'valkey',
  rabbitmq: 'rabbitmq-server',
  nginx: 'nginx',
  caddy: 'caddy',
  prometheus: 'prometheus',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  chromium: 'chromium',
  apache: 'httpd mod_auth_openidc',
};

/** How each package manager installs, and what it calls the programs. */
const MANAGERS = {
  'apt-get': {
    install: 'sudo apt-get install',
    packages: {
      ...NAMES,
      redis: 'redis-server',
      chromium: 'chromium-headless-shell',
      apache: 'apache2 libapache2-mod-auth-openidc libapache2-mod-oauth2 python3-authlib python3-requests',
    },
  },
  dnf: {
    install: 'sudo dnf install',
    packages: { ...NAMES, postgres: 'postgresql-server', prometheus: 'golang-github-prometheus' },
  },
  pacman: { install: 'sudo pacman -S --needed', packages: { ...NAMES, rabbitmq: 'rabbitmq' } },
  zypper: {
    install: 'sudo zypper install',
    packages: {
      ...NAMES,
      postgres: 'postgresql-server',
      prometheus: 'golang-github-prometheus-prometheus',
    },
  },
  apk: { install: 'sudo apk add', packages: { ...NAMES, postgres: 'postgresql16' } },
  brew: {
    install: 'brew install',
    packages: { ...NAMES, postgres: 'postgresql@15', redis: 'redis', rabbitmq: 'rabbitmq' },
  },
} as const satisfies Record<string, { install: string; packages: Packages }>;

export type PackageManager = keyof typeof MANAGERS;
/** All package managers, in the order in which they are looked for. */
export const PACKAGE_MANAGERS = Object.keys(MANAGERS) as PackageManager[]; // Object.keys loses the type of the keys

const COMPOSE = 'Or, with Docker: docker compose up';

/** Decides how the missing programs are installed on this machine. */
export function planInstallation(
  missing: readonly BinaryName[],
  machine: { manager: PackageManager | undefined; privilege: 'root' | 'sudo' | 'none' },
): Installation {
  const { manager, privilege } = machine;
  if (manager === undefined) {
    return { kind: 'advise', advice: `Install it with your system's package manager.\n${COMPOSE}` };
  }
  const packages = missing.map((name) => MANAGERS[manager].packages[name]);
  // Elsewhere servers could be started and enabled by the installation.
  if (manager !== 'apt-get' || privilege === 'none') {
    const command = `${MANAGERS[manager].install} ${packages.join(' ')}`;
    return { kind: 'advise', advice: `Install it: ${command}\n${COMPOSE}` };
  }
  const shell = ['sh', '-c', installScript(packages)];
  return privilege === 'root'
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
