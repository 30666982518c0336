import { BuildFailed, buildPrograms, isUpToDate } from '@gatehouse/build';
import type { Progress } from '../output/progress.ts';
import { StackError } from '../output/stack-error.ts';

/**
 * Builds the services and commands if their sources have changed.
 *
 * @throws {StackError} with the output of the compiler.
 */
export async function built(progress: Progress): Promise<void> {
  if (isUpToDate()) return;
  await progress.step('build the services', async () => {
    try {
      await buildPrograms();
    } catch (error) {
      if (!(error instanceof BuildFailed)) throw error;
      throw new StackError(
        `The services cannot be built:\n\n${error.message.trim()}`,
        'Fix the error and try again.',
      );
    }
  });
}
