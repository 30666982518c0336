/** What keeps the stack from running, and what a person can do about it. */
export class StackError extends Error {
  override name = 'StackError';
  readonly advice: string;

  constructor(message: string, advice: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.advice = advice;
  }
}

/** The start was called off, by Ctrl-C or by whoever runs it. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** What to tell a person of something that was thrown: what we foresaw in plain words, else the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof StackError) return `${error.message}\n${error.advice}`;
  if (error instanceof Cancelled) return 'Stopped before the end.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
