import { importCommand } from './import-command.ts';
import { describeFailure } from './stack-error.ts';

/** `npm run import` */
try {
  process.exitCode = await importCommand(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isScreen: process.stdout.isTTY,
  });
} catch (error) {
  process.stderr.write(`\n✗ ${error instanceof TypeError ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
}
