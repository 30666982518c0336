import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ConvertedExport } from '@gatehouse/intake';
import { optionalSecret, readConfig } from '@gatehouse/runtime';
import { Optional, Type } from '@gatehouse/schema';
import { CommandError } from '../terminal.ts';
import { readAccounts, readExport } from './from/read-export.ts';
import { importExport, importFile } from './import-file.ts';
import type { ImportAccess, ImportState, ImportTarget } from './import-file.ts';

const HELP = `Imports accounts from another system: one JSON object per line, a JSON list, or a table (CSV) with a header:

  {"Email":"ann@example.com","DisplayName":"Ann","Role":"User","PasswordHash":"$2b$10$…"}

  import accounts.ndjson --url https://admin.example.com --token-file token.txt
  import realm.json --from keycloak --dry-run

  --from SYSTEM      the file is an export of keycloak, auth0, firebase, supabase, cognito, django or better-auth
                     (docs/migrating.md)
  --firebase-hash P  the hash parameters of a Firebase project: <signer key>,<salt separator>,<rounds>,<memory cost>
  --drop-slow-hashes imports accounts whose hash takes longer to check than ours without a password
  --dry-run          imports nothing, and says what would be imported
  --url URL          Admin's address
  --token-file FILE  an administrator's access token, or a static token with the role Admin
  --help             shows this text

Run it as npm run import -- …, or as docker compose run --rm tools import … (docs/containers.md). With npm run,
--url defaults to the stack of npm start; without --token-file, its administrator is logged in, which ends an earlier
session of that administrator.

PasswordHash is a hash by bcrypt, argon2, scrypt or PBKDF2 as other systems write it (docs/passwords.md); without a
password, the owner completes the account by registering.
Existing accounts are skipped, so an interrupted import can be run again. Lines that fail are reported by number,
and the exit code is 1.
`;

export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether lines can be overwritten. */
  isScreen: boolean;
}

const FAILURES_SHOWN = 1000;

/** Runs the command and returns the exit code. */
export async function importCommand(
  args: string[],
  terminal: Terminal,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      'token-file': { type: 'string' },
      from: { type: 'string' },
      'firebase-hash': { type: 'string' },
      'drop-slow-hashes': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    terminal.out(HELP);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CommandError('Name one file', 'Try --help.');
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new CommandError(`There is no file ${file}`, 'Check the path.');
  const converted = values.from === undefined ? readAccounts(file, terminal) : readExport(file, values.from);
  requireParameters(converted, values['firebase-hash']);
  const progress = progressBar(
    converted
      ? ({ lines }) => shareOf(lines, converted.lines.length)
      : ({ bytes }) => shareOf(bytes, found.size),
    terminal,
  );
  const isTrial = values['dry-run'];
  let shown = 0;
  const target: ImportTarget = {
    ...accessOf(values.url, values['token-file'], environment),
    isTrial,
    dropsSlowHashes: values['drop-slow-hashes'],
    firebase: values['firebase-hash'],
    onFailure: (place, message) => {
      shown += 1;
      if (shown <= FAILURES_SHOWN) progress.above(`${place}: ${message}\n`);
    },
    onProgress: progress.show,
  };
  for (const place of converted?.faults ?? []) target.onFailure(place, 'is not valid JSON');
  const sent = await (converted ? importExport(converted, target) : importFile(file, target)).finally(() =>
    progress.end(),
  );
  const state = { ...sent, failed: sent.failed + (converted?.faults.length ?? 0) };
  if (state.failed > shown) terminal.err(`… and ${state.failed - shown} more lines failed\n`);
  if (converted) terminal.out(losses(converted));
  if (state.slow.lines > 0 && !values['drop-slow-hashes']) terminal.out(slowHashes(state.slow));
  terminal.out(summary(state, isTrial));
  return state.failed === 0 ? 0 : 1;
}

/** Otherwise every line with a password would fail for the same reason. */
function requireParameters(converted: ConvertedExport | undefined, firebase: string | undefined): void {
  const isNeeded = converted?.lines.some(({ line }) => line.PasswordSalt !== undefined) === true;
  if (!isNeeded || firebase !== undefined) return;
  throw new CommandError(
    'Passwords of Firebase need --firebase-hash',
    'See "Migrating from Firebase" in docs/migrating.md.',
  );
}

function summary({ imported, skipped, failed, isResent }: ImportState, isTrial: boolean): string {
  const verb = isTrial ? 'would be imported' : 'imported';
  const had = isResent ? 'had an account, maybe since a try before an interruption' : 'had an account';
  return `${failed === 0 ? '✓' : '✗'} ${imported} ${verb}, ${skipped} ${had}, ${failed} failed\n`;
}

function slowHashes({ lines, cost }: ImportState['slow']): string {
  return (
    `  ${lines} × a hash that takes longer to check than ours (cost ${cost}): until their owners have logged in, every wrong\n` +
    '    password takes as long. --drop-slow-hashes imports such accounts without a password (docs/passwords.md)\n'
  );
}

/** Describes the data of an export that is not imported. */
function losses({ leftOut, notCarried, doubles }: ConvertedExport): string {
  const unnamed = doubles.length - FAILURES_SHOWN;
  return [
    ...doubles.slice(0, FAILURES_SHOWN).map((double) => `  ${double}\n`),
    ...(unnamed > 0 ? [`  … and ${unnamed} more have the address of another entry\n`] : []),
    ...[...leftOut].map(([why, count]) => `  ${count} left out: ${why}\n`),
    ...[...notCarried].map(([what, count]) => `  ${count} × not carried over: ${what}\n`),
  ].join('');
}

const WIDTH = 30;

function shareOf(done: number, total: number): number {
  return total === 0 ? 1 : Math.min(1, done / total);
}

function progressBar(shareOfState: (state: ImportState) => number, { out, err, isScreen }: Terminal) {
  const begun = performance.now();
  let line = '';
  let tenthsShown = 0;
  const show = (state: ImportState): void => {
    const { lines } = state;
    const share = shareOfState(state);
    const rate = Math.round(lines / Math.max(0.001, (performance.now() - begun) / 1000));
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
    line = `${bar} ${Math.floor(share * 100)} %  ${lines} lines  ${rate}/s`;
    if (isScreen) out(`\r${line}`);
    // A log gets one line per tenth.
    else if (Math.floor(share * 10) > tenthsShown) out(`${line}\n`);
    tenthsShown = Math.max(tenthsShown, Math.floor(share * 10));
  };
  return {
    show,
    above: (text: string) => {
      if (isScreen && line !== '') out(`\r${' '.repeat(line.length)}\r`);
      err(text);
      if (isScreen) out(line);
    },
    end: () => {
      if (isScreen && line !== '') out('\n');
    },
  };
}

/** If the arguments name no Admin and no credentials. `npm run import` sets those of the local stack. */
const SETTINGS = Type.Object({
  IMPORT_URL: Optional.String({ description: 'Admin’s address' }),
  IMPORT_LOGIN_URL: Optional.String({ description: 'Core’s address' }),
  IMPORT_EMAIL: Optional.String({ description: 'the email address of an administrator' }),
  IMPORT_PASSWORD: optionalSecret('their password'),
});

/** @throws {CommandError} if neither the arguments nor the settings name an Admin and credentials. */
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
