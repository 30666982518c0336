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

/**
 * Makes work take at least this long, also if it fails: the response time must not reveal whether there was much to do
 * (an account to change) or little (none). Negative `milliseconds` are a duration that is over.
 */
export async function withMinimumDuration<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([
    work,
    new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds))),
  ]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** What `work` resolves to; `undefined` if it takes longer than this. It is not stopped, and may fail later unnoticed. */
export async function atMost<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
