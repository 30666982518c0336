import { ConfigError } from '@gatehouse/runtime';

/** Why a command failed, and what the operator can do about it. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly advice: string;

  constructor(message: string, advice: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.advice = advice;
  }
}

/** The message for any error: plain text for expected errors, otherwise the stack trace. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandError) return `${error.message}\n${error.advice}`;
  // Errors of settings and of parseArgs, whose messages are written for users.
  if (error instanceof ConfigError) return error.message;
  if (error instanceof TypeError && 'code' in error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
