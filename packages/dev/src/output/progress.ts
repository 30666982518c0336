import { Cancelled } from './stack-error.ts';

/** Reports progress step by step. */
export interface Progress {
  /** Runs `work`, then prints whether it succeeded and how long it took. */
  step: <T>(label: string, work: () => Promise<T>) => Promise<T>;
  /** Prints one line. */
  line: (text: string) => void;
}

const SLOW_MS = 2000;

/**
 * Progress for users: one line when a step is done, and one before it if it takes a while. A step that ends because
 * the start was cancelled is not reported as failed.
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

/** No output: tests report in their own way. */
export const quiet: Progress = { line: () => {}, step: (_label, work) => work() };
