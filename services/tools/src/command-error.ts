import { ConfigError } from '@gatehouse/runtime';

/** What keeps a command from doing its work, and what a person can do about it. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly advice: string;

  constructor(message: string, advice: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.advice = advice;
  }
}

/** What to tell a person of something that was thrown: what we foresaw in plain words, else the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandError) return `${error.message}\n${error.advice}`;
  // Of the settings, and of parseArgs: their messages are meant for people.
  if (error instanceof ConfigError) return error.message;
  if (error instanceof TypeError && 'code' in error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
