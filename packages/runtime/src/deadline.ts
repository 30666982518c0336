/** Until when something may still have an effect: what asked for it is answered then, whatever became of it. */
export interface Deadline {
  /** By `performance.now()`. */
  readonly dueAt: number;
}

/** A bound for work that nobody waits for. */
export function withinSeconds(seconds: number): Deadline {
  return { dueAt: performance.now() + seconds * 1000 };
}

/** For work that must be done however long it takes, as an operator's command. */
export const NO_DEADLINE: Deadline = { dueAt: Infinity };
