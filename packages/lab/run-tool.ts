import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programArguments } from '@gatehouse/build';

/** Runs a command of the operators' tools, as built here unless other arguments of Node are given. Returns its output. */
export async function runTool(
  command: readonly string[],
  env: Record<string, string> = {},
  tools = programArguments('tools'),
): Promise<string> {
  const options = { env, timeout: 60_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...tools, ...command], options);
  return stderr + stdout;
}
