import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The servers that a stack needs, each as the path of its program. */
export interface Binaries {
  /** The folder with `postgres` and `initdb` of one version. */
  postgres: string;
  redis: string;
  rabbitmq: string;
  nginx: string;
}

/** Programs that only tests need: proxies, a browser, Prometheus, and applications that sign people in. */
interface ForTests {
  pgbouncer: string;
  caddy: string;
  haproxy: string;
  chromium: string;
  prometheus: string;
  apache: string;
}

export type BinaryName = keyof (Binaries & ForTests);

/** Folders that are often missing in PATH: those of system users and of Homebrew. */
const MORE_FOLDERS = [
  '/usr/local/bin',
  '/usr/local/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/bin',
  '/sbin',
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin',
];

/** Where Debian, openSUSE, Homebrew on Apple silicon and Homebrew on Intel install versions of Postgres. */
const POSTGRES_FOLDERS = [
  { parent: '/usr/lib/postgresql', version: /^(\d+)$/ },
  { parent: '/usr/lib', version: /^postgresql(\d+)$/ },
  { parent: '/opt/homebrew/opt', version: /^postgresql@(\d+)$/ },
  { parent: '/usr/local/opt', version: /^postgresql@(\d+)$/ },
];

const PROGRAMS = {
  redis: ['redis-server', 'valkey-server'],
  nginx: ['nginx'],
  caddy: ['caddy'],
  haproxy: ['haproxy'],
  pgbouncer: ['pgbouncer'],
  prometheus: ['prometheus'],
  apache: ['apache2', 'httpd'],
  // The first draws no windows, and so needs a quarter less CPU than the others in headless mode.
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable'],
};

/** Finds the installed programs; missing ones are left out. `path` has the format of PATH. */
export function findBinaries(path = searchPath()): Partial<Record<BinaryName, string>> {
  const found: Partial<Record<BinaryName, string>> = {};
  const postgres = findPostgres(path);
  if (postgres !== undefined) found.postgres = postgres;
  // Debian's /usr/sbin/rabbitmq-server requires the folders of the system; the script that it calls does not.
  const rabbitmq = executable('/usr/lib/rabbitmq/bin/rabbitmq-server') ?? which('rabbitmq-server', path);
  if (rabbitmq !== undefined) found.rabbitmq = rabbitmq;
  for (const [name, programs] of Object.entries(PROGRAMS)) {
    const [file] = programs.flatMap((program) => which(program, path) ?? []);
    // The type of Object.entries loses the names of the keys.
    if (file !== undefined) found[name as keyof typeof PROGRAMS] = file;
  }
  return found;
}

/** PATH, extended by folders in which servers are often installed. */
export function searchPath(): string {
  return [...(process.env['PATH'] ?? '').split(':').filter(Boolean), ...MORE_FOLDERS].join(':');
}

/** The full path of the program, or `undefined` if it is not in PATH. */
export function which(name: string, path = searchPath()): string | undefined {
  for (const folder of path.split(':')) {
    const found = executable(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The newest versioned folder, otherwise the folder of the real `postgres` that PATH leads to. */
function findPostgres(path: string): string | undefined {
  const versions = POSTGRES_FOLDERS.flatMap(({ parent, version }) =>
    list(parent).flatMap((name) => {
      const number = version.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), folder: join(parent, name, 'bin') }];
    }),
  ).toSorted((a, b) => b.number - a.number);
  const linked = which('postgres', path);
  const folders = versions.map(({ folder }) => folder);
  if (linked !== undefined) folders.push(dirname(realpathSync(linked)), dirname(linked));
  return folders.find((folder) => executable(join(folder, 'postgres')) && executable(join(folder, 'initdb')));
}

function executable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
