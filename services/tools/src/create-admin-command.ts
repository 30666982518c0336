import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { accountSettings, createAccount, describePasswordFault } from '@gatehouse/accounts';
import { createPasswords } from '@gatehouse/auth-core';
import { connectDb } from '@gatehouse/db';
import { typedEmail } from '@gatehouse/intake';
import { createLog, readConfig } from '@gatehouse/runtime';
import { compile, DisplayName, normalizeEmail, Type, typedName } from '@gatehouse/schema';
import { CommandError, type Prompt } from './terminal.ts';

const HELP = `Creates an administrator who can log in immediately.

  create-admin                                       asks for email and password
  create-admin --email ann@example.com --generate    generates a password and shows it once

  --email ADDRESS        the administrator's email address
  --name NAME            the display name (optional)
  --password-file FILE   reads the password from a file; - for standard input
  --generate             generates a password
  --help                 shows this text

Run it as npm run create-admin -- …, or as docker compose run --rm tools create-admin …

Uses the database at DATABASE_URL, and PASSWORD_PEPPER (or PASSWORD_PEPPER_FILE), which must have the same value as in
the services. PASSWORD_MIN_LENGTH and BCRYPT_COST apply. npm run without DATABASE_URL uses the stack of npm start.
`;

/** Returns the text to print. `environment` replaces that of this process. */
export async function createAdminCommand(
  args: string[],
  { ask, environment }: { ask: Prompt; environment?: NodeJS.ProcessEnv },
): Promise<string> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      'password-file': { type: 'string' },
      generate: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return HELP;
  const settings = readSettings(environment);
  const typed = values.email ?? (await ask('Email: '));
  const email = normalizeEmail(typedEmail(typed));
  if (email === undefined)
    throw new CommandError(
      `${JSON.stringify(typed)} is not an email address`,
      'Enter one such as ann@example.com.',
    );
  const displayName = values.name === undefined ? undefined : typedName(values.name);
  if (displayName !== undefined && checkName(displayName) !== undefined)
    throw new CommandError('--name has to be a line of 1 to 100 characters', 'Nothing was done; try again.');
  const password = await readPassword(values, ask);
  await addAdministrator(settings, { email, password, displayName });
  return `✓ ${email} is an administrator.\n${values.generate ? `Password, shown this once: ${password}\n` : ''}`;
}

const checkName = compile(DisplayName(), { unknownFields: 'drop' });

function readSettings(environment: NodeJS.ProcessEnv | undefined) {
  const { DATABASE_CA, PASSWORD_PEPPER, PASSWORD_MIN_LENGTH, BCRYPT_COST } = accountSettings();
  const own = { DATABASE_CA, PASSWORD_PEPPER, PASSWORD_MIN_LENGTH, BCRYPT_COST };
  return readConfig(Type.Object({ DATABASE_URL: Type.String({ minLength: 1 }), ...own }), environment);
}

async function readPassword(
  { generate, 'password-file': file }: { generate: boolean; 'password-file'?: string | undefined },
  ask: Prompt,
): Promise<string> {
  if (generate && file !== undefined)
    throw new CommandError('Either a file or a new password', 'Leave one out.');
  if (generate) return randomBytes(15).toString('base64url');
  if (file !== undefined) return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');
  const password = await ask('Password: ', { hidden: true });
  const again = await ask('The same again: ', { hidden: true });
  if (password !== again) throw new CommandError('The two passwords differ', 'Nothing was done; try again.');
  return password;
}

async function addAdministrator(
  settings: ReturnType<typeof readSettings>,
  person: { email: string; password: string; displayName: string | undefined },
): Promise<void> {
  const { email, password } = person;
  const log = createLog({ service: 'create-admin', level: 'error' });
  const passwords = createPasswords({
    pepper: settings.PASSWORD_PEPPER,
    cost: settings.BCRYPT_COST,
    threads: 1,
    minLength: settings.PASSWORD_MIN_LENGTH,
    log,
  });
  const db = connectDb({
    url: settings.DATABASE_URL,
    ca: settings.DATABASE_CA,
    applicationName: 'gatehouse-create-admin',
    poolMax: 1,
  });
  try {
    const fault = await describePasswordFault({ passwords, settings }, password, email);
    if (fault !== undefined)
      throw new CommandError(`The password ${fault.message}`, 'Nothing was done; try again.');
    const given = { ...person, locale: undefined, role: 'Admin', isMigrated: false } as const;
    const system = { actor: { kind: 'System' }, origin: undefined } as const;
    const id = await createAccount({ db, passwords }, given, system);
    if (id !== undefined) return;
    throw new CommandError(
      `${email} has an account already`,
      'Another administrator can give it the role: PATCH /admin/account/{id} { "Role": "Admin" }.',
    );
  } finally {
    await passwords.close();
    await db.destroy();
  }
}
