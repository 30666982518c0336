import { spawnSync } from 'node:child_process';
import { programArguments } from '@gatehouse/build';
import { built } from '../stack/built.ts';
import { printProgress } from '../output/progress.ts';
import { describeFailure } from '../output/stack-error.ts';

/** `npm run migrate` and `npm run keys`: the operators' commands as they are shipped. */
try {
  await built(printProgress((text) => process.stderr.write(text)));
  const args = [...programArguments('tools'), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} catch (error) {
  process.stderr.write(`✗ ${describeFailure(error)}\n`);
  process.exitCode = 1;
}
