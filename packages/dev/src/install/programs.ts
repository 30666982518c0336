import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Program {
  title: string;
  /** The names of its file, the preferred one first. */
  files?: readonly string[];
  /** Its package, and what package managers call it that use another name. */
  package: string;
  packages?: Partial<Record<PackageManager, string>>;
}

/** The servers of a stack, and programs that only tests need. */
export const PROGRAMS = {
  postgres: {
    title: 'Postgres',
    package: 'postgresql',
    packages: {
      dnf: 'postgresql-server',
      zypper: 'postgresql-server',
      apk: 'postgresql16',
      brew: 'postgresql@15',
    },
  },
  redis: {
    title: 'Redis',
    files: ['redis-server', 'valkey-server'],
    package: 'valkey',
    packages: { 'apt-get': 'redis-server', brew: 'redis' },
  },
  rabbitmq: {
    title: 'RabbitMQ',
    package: 'rabbitmq-server',
    packages: { pacman: 'rabbitmq', brew: 'rabbitmq' },
  },
  nginx: { title: 'nginx', files: ['nginx'], package: 'nginx' },
  caddy: { title: 'Caddy', files: ['caddy'], package: 'caddy' },
  haproxy: { title: 'HAProxy', files: ['haproxy'], package: 'haproxy' },
  pgbouncer: { title: 'PgBouncer', files: ['pgbouncer'], package: 'pgbouncer' },
  chromium: {
    title: 'Chromium',
    // The first draws no windows, and so needs a quarter less CPU than the others in headless mode.
    files: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable'],
    package: 'chromium',
    packages: { 'apt-get': 'chromium-headless-shell' },
  },
  prometheus: {
    title: 'Prometheus',
    files: ['prometheus'],
    package: 'prometheus',
    packages: { dnf: 'golang-github-prometheus', zypper: 'golang-github-prometheus-prometheus' },
  },
  apache: {
    title: 'Apache with its modules for OpenID Connect',
    files: ['apache2', 'httpd'],
    package: 'httpd mod_auth_openidc',
    packages: {
      'apt-get': 'apache2 libapache2-mod-auth-openidc libapache2-mod-oauth2 python3-authlib python3-requests',
    },
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;
export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[]; // Object.keys loses the type of the keys

export const SERVERS = ['postgres', 'redis', 'rabbitmq', 'nginx'] as const satisfies ProgramName[];

/** The paths of their programs; for Postgres, of the folder with `postgres` and `initdb` of one version. */
export type Binaries = Record<(typeof SERVERS)[number], string>;

/** The package managers, in the order in which they are looked for, and how each installs. */
export const MANAGERS = {
  'apt-get': 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S --needed',
  zypper: 'sudo zypper install',
  apk: 'sudo apk add',
  brew: 'brew install',
};
export type PackageManager = keyof typeof MANAGERS;

export function packageOf(name: ProgramName, manager: PackageManager): string {
  const program: Program = PROGRAMS[name];
  return program.packages?.[manager] ?? program.package;
}

/** Folders that are often missing in PATH: those of system users and of Homebrew. */
const MORE_FOLDERS =
  '/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin:/opt/homebrew/bin:/opt/homebrew/sbin';

/** Where Debian, openSUSE, Homebrew on Apple silicon and Homebrew on Intel install versions of Postgres. */
const POSTGRES_FOLDERS = [
  { parent: '/usr/lib/postgresql', version: /^(\d+)$/ },
  { parent: '/usr/lib', version: /^postgresql(\d+)$/ },
  { parent: '/opt/homebrew/opt', version: /^postgresql@(\d+)$/ },
  { parent: '/usr/local/opt', version: /^postgresql@(\d+)$/ },
];

/** Finds the installed programs; missing ones are left out. `path` has the format of PATH. */
export function findBinaries(path = searchPath()): Partial<Record<ProgramName, string>> {
  return Object.fromEntries(PROGRAM_NAMES.map((name) => [name, find(name, path)]));
}

function find(name: ProgramName, path: string): string | undefined {
  if (name === 'postgres') return findPostgres(path);
  // Debian's /usr/sbin/rabbitmq-server requires the folders of the system; the script that it calls does not.
  if (name === 'rabbitmq') return which('rabbitmq-server', `/usr/lib/rabbitmq/bin:${path}`);
  return PROGRAMS[name].files.map((file) => which(file, path)).find((file) => file !== undefined);
}

export function searchPath(): string {
  return [...(process.env['PATH'] ?? '').split(':').filter(Boolean), MORE_FOLDERS].join(':');
}

export function which(name: string, path = searchPath()): string | undefined {
  const files = path.split(':').map((folder) => join(folder, name));
  return files.find((file) => isExecutable(file));
}

/** The newest versioned folder, otherwise the folder of the real `postgres` that PATH leads to. */
function findPostgres(path: string): string | undefined {
  const versions = POSTGRES_FOLDERS.flatMap(({ parent, version }) =>
    (existsSync(parent) ? readdirSync(parent) : []).flatMap((name) => {
      const number = version.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), folder: join(parent, name, 'bin') }];
    }),
  ).toSorted((a, b) => b.number - a.number);
  const linked = which('postgres', path);
  const folders = versions.map(({ folder }) => folder);
  if (linked !== undefined) folders.push(dirname(realpathSync(linked)), dirname(linked));
  return folders.find((folder) => ['postgres', 'initdb'].every((name) => isExecutable(join(folder, name))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
