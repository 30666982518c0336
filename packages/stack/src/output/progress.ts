import { Cancelled } from './stack-error.ts';

/** Says what happens, step by step. */
export interface Progress {
  /** Does `work` and says how it went and how long it took. */
  step: <T>(label: string, work: () => Promise<T>) => Promise<T>;
  /** Says one thing. */
  line: (text: string) => void;
}

const SLOW_MS = 2000;

/**
 * Progress for people: a line for each step when it is done, and one before it when it takes a while. What ends
 * because all is called off has not failed.
 */
export function printProgress(write: (text: string) => void, calledOff?: AbortSignal): Progress {
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

/** Progress for tests, which have their own way of telling. */
export const quiet: Progress = { line: () => {}, step: (_label, work) => work() };
