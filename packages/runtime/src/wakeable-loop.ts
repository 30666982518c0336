/** Work that repeats: at once while there is more to do, otherwise after a pause or when it is woken. */
export interface WakeableLoop {
  /** Ends the pause; if a step is running, another follows at once. */
  wake(): void;
  /** Ends the loop after the running step. */
  stop(): Promise<void>;
}

/**
 * Repeats `step`, which must not throw, and pauses when it resolves to `false`.
 *
 * @param pauseMs the pause, or a function that gives it after each step.
 * @param step whether there is more to do at once.
 */
export function startWakeableLoop(
  pauseMs: number | (() => number),
  step: () => Promise<boolean>,
): WakeableLoop {
  let isStopped = false;
  let isWakePending = false;
  let endPause: () => void = () => {};

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, typeof pauseMs === 'number' ? pauseMs : pauseMs());
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const repeat = async (): Promise<void> => {
    while (!isStopped) {
      isWakePending = false;
      const isMore = await step();
      if (!isMore && !isWakePending && !isStopped) await pause();
    }
  };
  const ended = repeat();

  return {
    wake: () => {
      isWakePending = true;
      endPause();
    },
    stop: async () => {
      isStopped = true;
      endPause();
      await ended;
    },
  };
}
