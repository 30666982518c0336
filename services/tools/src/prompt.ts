import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';

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
