import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command, LOCAL_FOLDER, StackError, until } from '../command.ts';
import { launcherOf, signal, stopUnclaimed } from '../processes/leftovers.ts';

const HELP = `Stops the stack that npm start runs from this folder, including processes of one that was killed. Keeps the data.

  npm stop

  --help  shows this text

Exits with 0 when nothing is running any more.
`;

const PATIENCE_SECONDS = 120;

/** `npm stop`: asks the launcher to stop, or stops the processes that a killed launcher left running. */
export async function stop(records: string, say: (line: string) => void): Promise<void> {
  const launcher = launcherOf(records);
  if (launcher !== undefined) {
    say(`… stopping the stack (process ${launcher})`);
    signal(launcher, 'SIGTERM');
    if (!(await until(() => launcherOf(records) !== launcher, PATIENCE_SECONDS))) {
      throw new StackError(
        `The stack (process ${launcher}) did not stop within ${PATIENCE_SECONDS} s`,
        `Kill it (kill -9 ${launcher}) and run npm stop again, which stops its processes.`,
      );
    }
  }
  const leftovers = existsSync(records) ? await stopUnclaimed(records) : [];
  if (leftovers.length > 0) say(`✓ stopped processes left by an earlier stack: ${leftovers.join(', ')}`);
  else say(launcher === undefined ? 'No stack is running from this folder.' : '✓ stopped');
}

await command(import.meta.url, async (args) => {
  if (args.length > 0) throw new StackError(`npm stop does not accept "${args.join(' ')}"`, HELP);
  await stop(join(LOCAL_FOLDER, 'run'), (text) => void process.stdout.write(`${text}\n`));
});
