/** What a piece of work took of the event loop. */
export interface Turns {
  /** The longest time that everything else in the process had to wait, in milliseconds. */
  longestMs: number;
  totalMs: number;
}

const LOOK_MS = 1;

/**
 * Measures the turns of this process's event loop during `work`. What counts of a turn is the smaller of its duration
 * and the CPU time that the process used meanwhile: other processes prolong only the first, other threads only the
 * second, and a turn that blocks the loop has both.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<Turns & { count: number }> {
  const turns = { longestMs: 0, totalMs: 0, count: 0 };
  let [at, cpuAt] = [performance.now(), cpuMs()];
  const look = (): void => {
    const [now, cpuNow] = [performance.now(), cpuMs()];
    const turnMs = Math.min(now - at, cpuNow - cpuAt);
    turns.longestMs = Math.max(turns.longestMs, turnMs);
    turns.totalMs += turnMs;
    turns.count += 1;
    [at, cpuAt] = [now, cpuNow];
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return turns;
}

export async function msOf(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** How much CPU time this process uses during work, in milliseconds: other work of the machine does not count. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const begun = cpuMs();
  await work();
  return cpuMs() - begun;
}

/** The smallest of several measurements: other work only ever adds to one. */
export async function leastOf(turns: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let turn = 0; turn < turns; turn += 1) least = Math.min(least, await measure());
  return least;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
