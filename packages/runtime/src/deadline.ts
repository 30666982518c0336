/** The time until which work may have an effect: its caller gets a response then, whatever the outcome. */
export interface Deadline {
  /** In `performance.now()` time. */
  readonly dueAt: number;
}

/** A deadline for background work that no caller waits for. */
export function withinSeconds(seconds: number): Deadline {
  return { dueAt: performance.now() + seconds * 1000 };
}

/** For work without a time limit, such as an operator’s command. */
export const NO_DEADLINE: Deadline = { dueAt: Infinity };
