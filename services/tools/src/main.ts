import { migrateCommand } from '@gatehouse/db';
import { describeFailure, promptAtTerminal } from './terminal.ts';
import { createAdminCommand } from './create-admin-command.ts';
import { eraseReplayCommand } from './erase-replay-command.ts';
import { importCommand } from './import/import-command.ts';
import { keysCommand } from './keys/keys-command.ts';
import { secretsCommand } from './secrets.ts';

/** The operators' commands of the image: `docker compose run --rm tools <command> …` */
const HELP = `Gatehouse's commands for operators:

  create-admin  creates an administrator (interactive, or see --help)
  erase:replay  saves which accounts were erased, and erases them again after a backup was restored (--help)
  import        imports accounts from a file with one JSON object per line (<file>, or --help)
  keys          creates and rotates signing keys, and derives the keys of each service (--help)
  migrate       migrates the database and grants each service its rights
  secrets       creates the secrets of a deployment, one file each (<folder>, or --help)
`;

const [command = '--help', ...args] = process.argv.slice(2);
try {
  process.exitCode = await run(command, args);
} catch (error) {
  process.stderr.write(`✗ ${describeFailure(error)}\n`);
  process.exitCode = 1;
}

async function run(name: string, rest: string[]): Promise<number> {
  const out = (text: string): void => void process.stdout.write(text);
  const err = (text: string): void => void process.stderr.write(text);
  switch (name) {
    case 'create-admin':
      out(await createAdminCommand(rest, { ask: promptAtTerminal }));
      return 0;
    case 'erase:replay':
      out(await eraseReplayCommand(rest));
      return 0;
    case 'import':
      return importCommand(rest, { out, err, isScreen: process.stdout.isTTY });
    case 'keys':
      return keys(rest, { out, err });
    case 'migrate':
      return migrateCommand({ out, err });
    case 'secrets':
      out(secretsCommand(rest));
      return 0;
    case '--help':
      out(HELP);
      return 0;
    default:
      err(`Unknown command "${name}".\n\n${HELP}`);
      return 1;
  }
}

function keys(rest: string[], say: { out: (text: string) => void; err: (text: string) => void }): number {
  try {
    say.out(keysCommand(rest, Math.floor(Date.now() / 1000)));
    return 0;
  } catch (error) {
    say.err(`keys: ${error instanceof Error ? error.message : 'failed'}\n`);
    return 1;
  }
}
