import { spawn } from 'node:child_process';
import { programArguments } from '@gatehouse/build';
import { printProgress, describeFailure, onInterrupt } from '../command.ts';
import { built } from '../stack/programs.ts';
import { localSettings } from './local-settings.ts';

/** `npm run create-admin`, `import`, `keys` and `migrate`: runs the operators' commands as they are shipped. */
const [command = '', ...args] = process.argv.slice(2);
try {
  const env = localSettings(command, args, process.env);
  await built(printProgress((text) => process.stderr.write(text)));
  process.exitCode = await run([...programArguments('tools'), command, ...args], env);
} catch (error) {
  process.stderr.write(`✗ ${describeFailure(error)}\n`);
  process.exitCode = 1;
}

/** Runs Node in this terminal until it ends. If this process is stopped, Node is stopped too. */
function run(nodeArguments: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit', env });
  onInterrupt(() => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1));
  });
}
