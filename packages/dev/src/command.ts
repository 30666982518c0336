import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CommandError, describeFailure as describeCommandFailure } from '@gatehouse/tools';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The folder of the stack that `npm start` runs. */
export const LOCAL_FOLDER = join(ROOT, '.local');

/** The reason why the stack cannot run, and what the user can do about it. */
export class StackError extends CommandError {
  override name = 'StackError';
}

/** The start was cancelled with Ctrl-C or by the caller. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** The text to print for an error: a plain message for expected errors, otherwise the stack trace. */
export function describeFailure(error: unknown): string {
  return error instanceof Cancelled ? 'Stopped before the end.' : describeCommandFailure(error);
}

/** Runs the command that the file at this URL is, if it was started and not imported, and reports its failure. */
export async function command(file: string, run: (args: string[]) => Promise<void>): Promise<void> {
  const [, started = '', ...args] = process.argv;
  if (pathToFileURL(started).href !== file) return;
  try {
    await run(args);
  } catch (error) {
    if (error instanceof Cancelled) return void process.stdout.write('Stopped.\n');
    process.stderr.write(`\n✗ ${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/** As `parseArgs`. @throws {StackError} naming the argument that is not understood, and what to write instead. */
export function readArguments<Config extends ParseArgsConfig>(config: Config, advice: string) {
  try {
    return parseArgs(config);
  } catch (error) {
    // parseArgs throws only errors. After the first sentence, the message is about files with such a name.
    const [reason = ''] = (error as Error).message.split('. ');
    throw new StackError(reason, advice);
  }
}

export interface Progress {
  /** Runs `work`, then prints whether it succeeded and how long it took. */
  step: <T>(label: string, work: () => Promise<T>) => Promise<T>;
  line: (text: string) => void;
}

const SLOW_MS = 2000;

/** One line when a step is done, and one before it if it takes a while. Cancelled steps have not failed. */
export function printProgress(
  write: (text: string) => void = (text) => process.stdout.write(text),
  calledOff?: AbortSignal,
): Progress {
  return {
    line: (text) => write(`${text}\n`),
    step: async (label, work) => {
      const started = Date.now();
      const slow = setTimeout(() => write(`… ${label}\n`), SLOW_MS);
      const seconds = (): string => `${((Date.now() - started) / 1000).toFixed(1)} s`;
      try {
        const result = await work();
        write(`✓ ${label} (${seconds()})\n`);
        return result;
      } catch (error) {
        const isCancelled = error instanceof Cancelled || calledOff?.aborted === true;
        if (!isCancelled) write(`✗ ${label} (${seconds()})\n`);
        throw error;
      } finally {
        clearTimeout(slow);
      }
    },
  };
}

/** Waits until the condition holds, for at most this long. Returns whether it does. */
export async function until(condition: () => boolean | Promise<boolean>, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

const POLL_MS = 50;

/** No output: tests report in their own way. */
export const quiet: Progress = { line: () => {}, step: (_label, work) => work() };

const WATCH_MS = 250;

/**
 * Calls `stop` when this process should end: on Ctrl-C, SIGTERM, a closed terminal, when nobody reads its output any
 * more (`| head`), or when the `npm` that started it ends. The shell of npm dies of a signal without forwarding it.
 */
export function onInterrupt(stop: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, WATCH_MS);
  watch.unref();
}
