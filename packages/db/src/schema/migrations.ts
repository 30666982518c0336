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
}

/** The names of the baseline and the numbered migrations, in the order in which they are applied. */
export async function migrationNames(): Promise<string[]> {
  const numbered = (await readdir(NUMBERED_FOLDER)).filter((name) => name.endsWith('.sql'));
  return [BASELINE, ...numbered.toSorted()];
}

/** The baseline and the numbered migrations, in the order in which they are applied. */
export async function readMigrations(): Promise<Migration[]> {
  const names = await migrationNames();
  return Promise.all(names.map(async (name) => ({ name, sql: await readMigration(name) })));
}

async function readMigration(name: string): Promise<string> {
  if (name !== BASELINE) return readFile(new URL(name, NUMBERED_FOLDER), 'utf8');
  const parts = await Promise.all(
    BASELINE_FILES.map((file) => readFile(new URL(file, BASELINE_FOLDER), 'utf8')),
  );
  return parts.join('\n');
}
