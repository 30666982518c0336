/** Until when work may have an effect: its caller gets an answer then, whatever became of it. */
export interface Deadline {
  /** By `performance.now()`. */
  readonly dueAt: number;
}

/** A bound for work that nobody waits for. */
export function withinSeconds(seconds: number): Deadline {
  return { dueAt: performance.now() + seconds * 1000 };
}

/** For work that may take any time, such as an operator’s command. */
export const NO_DEADLINE: Deadline = { dueAt: Infinity };
