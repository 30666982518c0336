import { CommandError, describeFailure as describeCommandFailure } from '@gatehouse/tools';

/** What keeps the stack from running, and what a person can do about it. */
export class StackError extends CommandError {
  override name = 'StackError';
}

/** The start was cancelled, by Ctrl-C or by the caller. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** What to tell a person of something that was thrown: what we foresaw in plain words, else the stack. */
export function describeFailure(error: unknown): string {
  return error instanceof Cancelled ? 'Stopped before the end.' : describeCommandFailure(error);
}
