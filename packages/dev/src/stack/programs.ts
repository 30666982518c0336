import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isUpToDate, programArguments } from '@gatehouse/build';
import { ROOT, StackError, type Progress } from '../command.ts';

const run = promisify(execFile);
/** What `run` rejects with. */
type Ended = Error & { stdout: string; stderr: string };

/** In a process of its own, whose memory ends with it. @throws {StackError} with the output of the compiler. */
export async function built(progress: Progress): Promise<void> {
  if (isUpToDate()) return;
  await progress.step('build the services', async () => {
    try {
      await run(process.execPath, [join(ROOT, 'packages/dev/run.mjs'), 'build']);
    } catch (error) {
      const { stderr } = error as Ended;
      throw new StackError(
        `The services cannot be built:\n\n${stderr.replace('✗ build failed', '').trim()}`,
        'Fix the error and try again.',
      );
    }
  });
}

/** @throws {StackError} with the output of the command if it fails. */
export async function runTool(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await run(process.execPath, [...programArguments('tools'), ...args], { cwd: ROOT, env });
  } catch (error) {
    const { stdout, stderr } = error as Ended;
    throw new StackError(
      `"${args[0]}" failed:\n${`${stdout}${stderr}`.trim()}`,
      'Repair what the output names. To start again without the data, as a last resort: npm start -- --fresh',
    );
  }
}
