import { ConfigError, reportFault } from '../settings/config.ts';
import type { Log } from '../log/log.ts';

export interface Lifecycle {
  /** Registers a function to run at the stop; they run in reverse order of registration. */
  onStop(stop: () => unknown): void;
  /** Runs `work` at this interval until the stop, never twice at once; failures are logged. */
  every(seconds: number, name: string, work: () => Promise<unknown>): void;
  readonly stopping: boolean;
}

/** A stop that takes longer is aborted. */
export const STOP_SECONDS_MAX = 10;

/**
 * Runs a process: `start` builds it and registers its stops. SIGTERM and SIGINT stop it gracefully with exit code 0, or
 * by force with code 1 after `stopSecondsMax`. An error during the start is one clear line and exit code 1.
 */
export function run(
  log: Log,
  start: (lifecycle: Lifecycle) => Promise<void>,
  stopSecondsMax = STOP_SECONDS_MAX,
): void {
  const stops: (() => unknown)[] = [];
  let stopping = false;

  const lifecycle: Lifecycle = {
    onStop: (stop) => void stops.push(stop),
    every: (seconds, name, work) => stops.push(repeat(log, seconds, name, work)),
    get stopping() {
      return stopping;
    },
  };

  const stop = async (exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const forced = setTimeout(() => {
      log.error('shutdown timed out, forcing exit');
      log.flush();
      process.exit(1);
    }, stopSecondsMax * 1000);
    for (const undo of stops.toReversed()) {
      try {
        await undo();
      } catch (error) {
        log.error('a component failed to shut down cleanly', { error });
      }
    }
    clearTimeout(forced);
    if (exitCode === 0) log.info('stopped');
    log.flush();
    process.exit(exitCode);
  };

  // Node would print warnings as text between the JSON lines.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn('warning from Node.js', { error: warning }));
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error });
    void stop(1);
  });
  process.on('unhandledRejection', (error) => {
    log.error('unhandled rejection', { error });
    void stop(1);
  });

  start(lifecycle).catch((error: unknown) => {
    if (error instanceof ConfigError) reportFault(log, error);
    else log.error('startup failed', { error });
    void stop(1);
  });
}

/** Returns a function that stops the interval and waits for work in progress. */
function repeat(log: Log, seconds: number, name: string, work: () => Promise<unknown>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const turn = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn(`${name} failed, retrying`, { error });
    }
    if (!stopped) schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      underWay = turn();
    }, seconds * 1000);
  };
  schedule();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  };
}
