import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, StackError } from '../command.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import type { StackFile } from './stack-file.ts';

const DIRECTORY = join(ROOT, '.local');

/**
 * The stack that runs from this folder (`npm start`).
 *
 * @throws {StackError} if none runs. `otherwise` says what to do instead.
 */
export function localStack(otherwise: string, directory = DIRECTORY): { facts: StackFile; secrets: Secrets } {
  let text: string;
  try {
    text = readFileSync(join(directory, 'stack.json'), 'utf8');
  } catch (cause) {
    throw new StackError('No stack is running from this folder', `Start it with npm start. ${otherwise}`, {
      cause,
    });
  }
  // Only `writeStackFile` writes this file.
  return { facts: JSON.parse(text) as StackFile, secrets: openSecrets(join(directory, 'secrets')) };
}
