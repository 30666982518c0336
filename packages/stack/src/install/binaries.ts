import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The servers that a stack needs, each by the program that starts it. */
export interface Binaries {
  /** The folder that holds `postgres` and `initdb` of one version. */
  postgres: string;
  redis: string;
  rabbitmq: string;
  nginx: string;
}

/** What tests alone need: proxies in front of the gateway and of Postgres, a browser, and Prometheus. */
interface ForTests {
  pgbouncer: string;
  caddy: string;
  haproxy: string;
  chromium: string;
  prometheus: string;
}

export type BinaryName = keyof (Binaries & ForTests);

/** Folders that are often missing from PATH: of system users, and of Homebrew. */
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

/** Where Debian, Homebrew on Apple silicon and Homebrew on Intel keep Postgres's versions. */
const POSTGRES_FOLDERS = [
  { parent: '/usr/lib/postgresql', version: /^(\d+)$/ },
  { parent: '/opt/homebrew/opt', version: /^postgresql@(\d+)$/ },
  { parent: '/usr/local/opt', version: /^postgresql@(\d+)$/ },
];

const PROGRAMS = {
  redis: ['redis-server'],
  nginx: ['nginx'],
  caddy: ['caddy'],
  haproxy: ['haproxy'],
  pgbouncer: ['pgbouncer'],
  prometheus: ['prometheus'],
  // The first has no windows to draw, and needs a quarter less of a processor than the others without one.
  chromium: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable'],
};

/** Finds what is installed; what is not is left out. `path` is a PATH. */
export function findBinaries(path = searchPath()): Partial<Record<BinaryName, string>> {
  const found: Partial<Record<BinaryName, string>> = {};
  const postgres = findPostgres(path);
  if (postgres !== undefined) found.postgres = postgres;
  // Debian's /usr/sbin/rabbitmq-server insists on the system's own folders; the script below it does not.
  const rabbitmq = executable('/usr/lib/rabbitmq/bin/rabbitmq-server') ?? which('rabbitmq-server', path);
  if (rabbitmq !== undefined) found.rabbitmq = rabbitmq;
  for (const [name, programs] of Object.entries(PROGRAMS)) {
    const [file] = programs.flatMap((program) => which(program, path) ?? []);
    // Object.entries loses the names of the keys.
    if (file !== undefined) found[name as keyof typeof PROGRAMS] = file;
  }
  return found;
}

/** PATH with the folders added that servers are often installed in. */
export function searchPath(): string {
  return [...(process.env['PATH'] ?? '').split(':').filter(Boolean), ...MORE_FOLDERS].join(':');
}

/** The program's full path, or `undefined` where PATH does not have it. */
export function which(name: string, path = searchPath()): string | undefined {
  for (const folder of path.split(':')) {
    const found = executable(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The newest versioned folder, else the one that `postgres` in PATH really lives in. */
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
