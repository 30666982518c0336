import { join } from 'node:path';
import {
  onInterrupt,
  ROOT,
  printProgress,
  type Progress,
  Cancelled,
  describeFailure,
  StackError,
} from '../command.ts';
import { removeFolder } from '../servers/home.ts';
import { planPorts } from '../stack/ports.ts';
import { launcherOf, stopLeftovers } from '../processes/leftovers.ts';
import { readStartOptions } from './start-options.ts';
import { startStack } from '../stack/start-stack.ts';
import { welcome } from '../stack/stack-file.ts';

const DIRECTORY = join(ROOT, '.local');

/** `npm start`: the whole system in the foreground until Ctrl-C or SIGTERM. */
const stopped = new AbortController();
const progress = printProgress((text) => process.stdout.write(text), stopped.signal);
try {
  await start(progress);
} catch (error) {
  if (error instanceof Cancelled) progress.line('Stopped.');
  else {
    process.stderr.write(`\n✗ ${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

async function start({ line, step }: Progress): Promise<void> {
  const options = readStartOptions(process.argv.slice(2), process.env);
  if (typeof options === 'string') return line(options.trimEnd());
  const { fresh, ...kind } = options;
  const ports = planPorts(process.env['PORT_BASE']);
  onInterrupt(() => {
    if (!stopped.signal.aborted) line('\nStopping …');
    stopped.abort();
  });
  if (fresh) await removeEarlierData();
  const stack = await startStack({
    directory: DIRECTORY,
    ports,
    settings: process.env,
    ...kind,
    progress: { line, step },
    signal: stopped.signal,
  });
  line(welcome(stack.facts, { stackFile: join(DIRECTORY, 'stack.json'), logs: join(DIRECTORY, 'logs') }));
  const end = new Promise<void>((resolve) => {
    if (stopped.signal.aborted) resolve();
    stopped.signal.addEventListener('abort', () => resolve());
  });
  await end;
  await stack.stop();
  line('Stopped.');
}

/** Removes the data of earlier runs, unless a stack is running on it. */
async function removeEarlierData(): Promise<void> {
  const records = join(DIRECTORY, 'run');
  const other = launcherOf(records);
  if (other !== undefined) {
    throw new StackError(`A stack is running from this folder (process ${other})`, 'Stop it first: npm stop');
  }
  await stopLeftovers(records);
  removeFolder(DIRECTORY);
}
