import { CommandError, describeFailure as describeCommandFailure } from '@gatehouse/tools';

/** The reason why the stack cannot run, and what the user can do about it. */
export class StackError extends CommandError {
  override name = 'StackError';
}

/** The start was cancelled with Ctrl-C or by the caller. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** The text to print for an error: a plain message for expected errors, otherwise the stack trace. */
export function describeFailure(error: unknown): string {
  return error instanceof Cancelled ? 'Stopped before the end.' : describeCommandFailure(error);
}
