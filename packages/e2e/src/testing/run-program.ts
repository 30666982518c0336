import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program with settings that extend the environment of this process; `stop` ends it. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { settings?: Record<string, string>; cwd?: string; errors?: 'inherit' | 'ignore' } = {},
) {
  const { settings = {}, cwd, errors = 'inherit' } = options;
  const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const child = spawn('env', [...variables, program, ...args], { cwd, stdio: ['ignore', 'pipe', errors] });
  return {
    /** What it prints first. */
    greeting: once(child.stdout, 'data').then(([text]) => String(text).trim()),
    stop: async (): Promise<void> => {
      const exited = once(child, 'exit');
      // Not SIGKILL, because nginx's worker process would survive it.
      if (child.kill('SIGTERM')) await exited;
    },
  };
}
