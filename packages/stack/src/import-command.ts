import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importFile, type ImportState } from './import-file.ts';
import { localStack } from './local-stack.ts';
import { StackError } from './stack-error.ts';

const HELP = `Imports accounts from another system, one JSON object a line:

  {"Email":"ann@example.com","DisplayName":"Ann","Role":"User","PasswordHash":"$2b$10$…"}

  npm run import -- accounts.ndjson
  npm run import -- accounts.ndjson --url https://admin.example.com --token-file token.txt

  --url URL          Admin's address; without it, that of the stack which npm start runs here
  --token-file FILE  an administrator's access token, or a static token of the role Admin; without it, the
                     administrator of that stack is logged in, which ends an earlier session of theirs
  --help             shows this text

PasswordHash is bcrypt (2a, 2b, 2y; cost 4 to 14); without one the owner completes the account by registering.
What has an account already is skipped, so that a command that was cut off can simply be run again. Lines that
fail are told by their number, and make the exit code 1.
`;

export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether a line can be written over. */
  isScreen: boolean;
}

const FAILURES_SHOWN = 1000;

/** Does what the arguments say; returns the exit code. */
export async function importCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      'token-file': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    terminal.out(HELP);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new StackError('Name one file', 'Try --help.');
  const total = sizeOf(file);
  const progress = progressBar(total, terminal);
  let shown = 0;
  const state = await importFile(file, {
    ...target(values.url, values['token-file']),
    onFailure: (line, message) => {
      shown += 1;
      if (shown <= FAILURES_SHOWN) progress.above(`line ${line}: ${message}\n`);
    },
    onProgress: progress.show,
  });
  progress.end();
  if (state.failed > shown) terminal.err(`… and ${state.failed - shown} more lines failed\n`);
  const { imported, skipped, failed } = state;
  terminal.out(
    `${failed === 0 ? '✓' : '✗'} ${imported} imported, ${skipped} had an account, ${failed} failed\n`,
  );
  return failed === 0 ? 0 : 1;
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() === true) return found.size;
  throw new StackError(`${file} is no file`, 'Try --help.');
}

function target(url: string | undefined, tokenFile: string | undefined) {
  if (tokenFile !== undefined) {
    const token = readFileSync(tokenFile, 'utf8').trim();
    const adminUrl = url ?? localStack('Or name Admin’s address with --url.').facts.adminUrl;
    return { adminUrl, logIn: () => Promise.resolve(token) };
  }
  if (url !== undefined) throw new StackError('--url needs --token-file', 'Try --help.');
  const { facts } = localStack('Or name Admin’s address with --url.');
  return { adminUrl: facts.adminUrl, logIn: () => logIn(facts) };
}

async function logIn(facts: ReturnType<typeof localStack>['facts']): Promise<string> {
  const { Email: Username, Password } = facts.admin;
  const response = await fetch(`${facts.baseUrl}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Username, Password, DeviceName: 'npm run import' }),
    signal: AbortSignal.timeout(10_000),
  });
  const body = (await response.json()) as { Token?: string; detail?: string };
  if (body.Token !== undefined) return body.Token;
  throw new StackError(
    `The stack's administrator cannot log in: ${body.detail ?? 'a second factor is asked for'}`,
    'Give a token of yours: --token-file.',
  );
}

const WIDTH = 30;

function progressBar(total: number, { out, err, isScreen }: Terminal) {
  const begun = performance.now();
  let line = '';
  let told = 0;
  const show = ({ bytes, lines }: ImportState): void => {
    const share = total === 0 ? 1 : Math.min(1, bytes / total);
    const rate = Math.round(lines / Math.max(0.001, (performance.now() - begun) / 1000));
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
    line = `${bar} ${Math.floor(share * 100)} %  ${lines} lines  ${rate}/s`;
    if (isScreen) out(`\r${line}`);
    // A log gets a line for each tenth.
    else if (Math.floor(share * 10) > told) out(`${line}\n`);
    told = Math.max(told, Math.floor(share * 10));
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
