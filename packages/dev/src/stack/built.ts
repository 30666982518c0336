import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isUpToDate } from '@gatehouse/build';
import { type Progress, ROOT, StackError } from '../command.ts';

/**
 * Builds the services and commands if their sources have changed, in a process of its own: the launcher would keep the
 * memory of the build as long as it runs.
 *
 * @throws {StackError} with the output of the compiler.
 */
export async function built(progress: Progress): Promise<void> {
  if (isUpToDate()) return;
  await progress.step('build the services', async () => {
    try {
      await promisify(execFile)(process.execPath, [join(ROOT, 'packages/dev/run.mjs'), 'build']);
    } catch (error) {
      const { stderr } = error as { stderr: string }; // the error of execFile
      throw new StackError(
        `The services cannot be built:\n\n${stderr.replace('✗ build failed', '').trim()}`,
        'Fix the error and try again.',
      );
    }
  });
}
