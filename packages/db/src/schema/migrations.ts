import { readdir, readFile } from 'node:fs/promises';

const BASELINE_FOLDER = new URL('./baseline/', import.meta.url);
const NUMBERED_FOLDER = new URL('./migrations/', import.meta.url);

/** The name of the baseline, which is applied first, as a whole. */
export const BASELINE = '0000_baseline';

/** The files of the baseline, in an order in which each refers only to earlier ones. */
export const BASELINE_FILES = [
  'account.sql',
  'audit.sql',
  'session.sql',
  'login.sql',
  'email-login.sql',
  'sign-in.sql',
  'two-factor.sql',
  'passkey.sql',
  'sso.sql',
  'guest.sql',
  'person.sql',
  'mail.sql',
  'token.sql',
  'oauth.sql',
  'webhook.sql',
  'statistics.sql',
  'erasure.sql',
  'erase.sql',
  'export.sql',
];

export interface Migration {
  name: string;
  sql: string;
  /** As 1.0.0 read it from a checkout with the line ends of Windows, and noted its digest. */
  windowsSql?: string;
}

/** The names of the baseline and the numbered migrations, in the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  const numbered = (await readdir(NUMBERED_FOLDER)).filter((name) => name.endsWith('.sql'));
  return [BASELINE, ...numbered.toSorted()];
}

export async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames();
  return Promise.all(names.map(readMigration));
}

async function readMigration(name: string): Promise<Migration> {
  const files =
    name === BASELINE
      ? BASELINE_FILES.map((file) => new URL(file, BASELINE_FOLDER))
      : [new URL(name, NUMBERED_FOLDER)];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  // Whatever line ends the checkout has: they do not change what SQL does.
  const parts = texts.map((text) => text.replaceAll('\r\n', '\n'));
  const windowsSql = parts.map((text) => text.replaceAll('\n', '\r\n')).join('\n');
  return { name, sql: parts.join('\n'), windowsSql };
}
