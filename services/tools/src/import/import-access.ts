import { readFileSync } from 'node:fs';
import { optionalSecret, readConfig } from '@gatehouse/runtime';
import { Optional, Type } from '@gatehouse/schema';
import { CommandError } from '../terminal.ts';
import type { ImportAccess } from './import-file.ts';

/**
 * The Admin to use if the arguments name none, and the credentials for it. `npm run import` sets those of the local
 * stack.
 */
const SETTINGS = Type.Object({
  IMPORT_URL: Optional.String({ description: 'Admin’s address' }),
  IMPORT_LOGIN_URL: Optional.String({ description: 'Core’s address' }),
  IMPORT_EMAIL: Optional.String({ description: 'the email address of an administrator' }),
  IMPORT_PASSWORD: optionalSecret('their password'),
});

/**
 * The Admin from the arguments, otherwise from the settings.
 *
 * @throws {CommandError} if neither names an Admin or credentials.
 */
export function accessOf(
  url: string | undefined,
  tokenFile: string | undefined,
  environment: NodeJS.ProcessEnv | undefined,
): ImportAccess {
  const settings = readConfig(SETTINGS, environment);
  const adminUrl = url ?? settings.IMPORT_URL;
  if (tokenFile !== undefined) {
    const token = readFileSync(tokenFile, 'utf8').trim();
    if (adminUrl === undefined) throw new CommandError('Name Admin’s address with --url', 'Try --help.');
    return { adminUrl, logIn: () => Promise.resolve(token) };
  }
  const { IMPORT_LOGIN_URL: loginUrl, IMPORT_EMAIL: Username, IMPORT_PASSWORD: Password } = settings;
  // The credentials of the settings are not sent to an Admin that --url names.
  if (url !== undefined || adminUrl === undefined || !loginUrl || !Username || !Password)
    throw new CommandError('An import needs --url and --token-file', 'Try --help.');
  return { adminUrl, logIn: () => logIn(loginUrl, { Username, Password }) };
}

async function logIn(loginUrl: string, who: { Username: string; Password: string }): Promise<string> {
  const response = await fetch(`${loginUrl}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...who, DeviceName: 'npm run import' }),
    signal: AbortSignal.timeout(10_000),
  });
  const body = (await response.json()) as { Token?: string; detail?: string };
  if (body.Token !== undefined) return body.Token;
  throw new CommandError(
    `The stack's administrator cannot log in: ${body.detail ?? 'a second factor is required'}`,
    'Pass your own token with --token-file.',
  );
}
