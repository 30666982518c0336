import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CommandError } from './command-error.ts';
import { accessOf } from './import/import-access.ts';
import { importFile, type ImportState } from './import/import-file.ts';

const HELP = `Imports accounts from another system, one JSON object per line:

  {"Email":"ann@example.com","DisplayName":"Ann","Role":"User","PasswordHash":"$2b$10$…"}

  import accounts.ndjson --url https://admin.example.com --token-file token.txt

  --url URL          Admin's address
  --token-file FILE  an administrator's access token, or a static token with the role Admin
  --help             shows this text

Run it as npm run import -- …, or as docker compose run --rm tools import … (docs/containers.md). With npm run,
--url defaults to the stack of npm start; without --token-file, its administrator is logged in, which ends an earlier
session of that administrator.

PasswordHash is bcrypt (2a, 2b, 2y; cost 4 to 14); without it, the owner completes the account by registering.
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

/** Does what the arguments say; returns the exit code. */
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
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    terminal.out(HELP);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new CommandError('Name one file', 'Try --help.');
  const total = sizeOf(file);
  const progress = progressBar(total, terminal);
  let shown = 0;
  const access = accessOf(values.url, values['token-file'], environment);
  const state = await importFile(file, {
    ...access,
    onFailure: (line, message) => {
      shown += 1;
      if (shown <= FAILURES_SHOWN) progress.above(`line ${line}: ${message}\n`);
    },
    onProgress: progress.show,
  }).finally(() => progress.end());
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
  throw new CommandError(`${file} is no file`, 'Try --help.');
}

const WIDTH = 30;

function progressBar(total: number, { out, err, isScreen }: Terminal) {
  const begun = performance.now();
  let line = '';
  let tenthsShown = 0;
  const show = ({ bytes, lines }: ImportState): void => {
    const share = total === 0 ? 1 : Math.min(1, bytes / total);
    const rate = Math.round(lines / Math.max(0.001, (performance.now() - begun) / 1000));
    const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░');
    line = `${bar} ${Math.floor(share * 100)} %  ${lines} lines  ${rate}/s`;
    if (isScreen) out(`\r${line}`);
    // A log gets a line for each tenth.
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
