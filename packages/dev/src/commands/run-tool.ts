import { spawn } from 'node:child_process';
import { programArguments } from '@gatehouse/build';
import { ROOT, StackError } from '../command.ts';

/**
 * Runs an operators' command and waits until it ends.
 *
 * @throws {StackError} with the output of the command if it fails.
 */
export async function runTool(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [...programArguments('tools'), ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status === 0) return;
  throw new StackError(
    `"${args[0]}" failed:\n${output.trim()}`,
    'To discard the data and start again: npm start -- --fresh',
  );
}
