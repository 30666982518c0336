/** Repeats `step`, which must not throw, and says whether there is more to do at once; otherwise it pauses. */
export function startWakeableLoop(pauseMs: number | (() => number), step: () => Promise<boolean>) {
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
    /** Ends the pause; if a step is running, another follows at once. */
    wake: () => {
      isWakePending = true;
      endPause();
    },
    /** Ends the loop after the running step. */
    stop: async () => {
      isStopped = true;
      endPause();
      await ended;
    },
  };
}
