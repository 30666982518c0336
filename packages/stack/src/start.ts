import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { onInterrupt } from './interrupts.ts';
import { ROOT } from './node-process.ts';
import { removeFolder } from './place.ts';
import { planPorts, SCALE_MAX } from './ports.ts';
import { printProgress, type Progress } from './progress.ts';
import { launcherOf, stopLeftovers } from './records.ts';
import { Cancelled, describeFailure, StackError } from './stack-error.ts';
import { startStack } from './start-stack.ts';
import { welcome } from './welcome.ts';

const DIRECTORY = join(ROOT, '.local');

/** `npm start`: the whole system in the foreground until Ctrl-C or SIGTERM. */
const progress = printProgress((text) => process.stdout.write(text));
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
  const { fresh, scale, redisCluster } = readArguments();
  const stopped = new AbortController();
  onInterrupt(() => {
    if (!stopped.signal.aborted) line('\nStopping …');
    stopped.abort();
  });
  if (fresh) await beginAnew();
  const stack = await startStack({
    directory: DIRECTORY,
    ports: planPorts(process.env['PORT_BASE']),
    settings: process.env,
    scale,
    redisCluster,
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

/** @throws {StackError} when they cannot be understood. */
function readArguments(): { fresh: boolean; scale: number; redisCluster: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        fresh: { type: 'boolean', default: false },
        scale: { type: 'string', default: '1' },
        'redis-cluster': { type: 'boolean', default: false },
      },
    });
    const scale = Number(values.scale);
    if (!Number.isInteger(scale) || scale < 1 || scale > SCALE_MAX) {
      throw new Error(`--scale ${values.scale} does not do`);
    }
    return { fresh: values.fresh, scale, redisCluster: values['redis-cluster'] };
  } catch (error) {
    throw new StackError(
      error instanceof Error ? error.message : String(error),
      `npm start -- [--fresh] [--scale 1 to ${SCALE_MAX}] [--redis-cluster]`,
    );
  }
}

/** Removes the data of earlier runs, but never from under a stack that runs. */
async function beginAnew(): Promise<void> {
  const records = join(DIRECTORY, 'run');
  const other = launcherOf(records);
  if (other !== undefined) {
    throw new StackError(
      `A stack runs from this folder (process ${other})`,
      'Stop it before you begin anew.',
    );
  }
  await stopLeftovers(records);
  removeFolder(DIRECTORY);
}
