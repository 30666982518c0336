import { ConfigError } from '@gatehouse/runtime';

/** Why a command cannot do its work, and what the operator can do about it. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly advice: string;

  constructor(message: string, advice: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.advice = advice;
  }
}

/** The message for anything that was thrown: plain words for foreseen errors, else the stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandError) return `${error.message}\n${error.advice}`;
  // Errors of settings and of parseArgs, whose messages are written for people.
  if (error instanceof ConfigError) return error.message;
  if (error instanceof TypeError && 'code' in error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
