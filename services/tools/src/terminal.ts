import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
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

/** Asks the user at the terminal. A hidden answer is not shown while it is typed. */
export type Prompt = (question: string, options?: { hidden: boolean }) => Promise<string>;

/** @throws {CommandError} if there is no terminal. */
export const promptAtTerminal: Prompt = async (question, { hidden } = { hidden: false }) => {
  const { stdin: input, stdout } = process;
  if (!input.isTTY)
    throw new CommandError(
      'There is no terminal to ask questions at',
      'Pass every value as an option: --help lists them.',
    );
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stdout;
  const lines = createInterface({ input, output, terminal: true });
  try {
    if (hidden) stdout.write(question);
    return await lines.question(hidden ? '' : question);
  } finally {
    if (hidden) stdout.write('\n');
    lines.close();
  }
};
