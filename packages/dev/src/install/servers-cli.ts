import { describeFailure, printProgress } from '../command.ts';
import { PROGRAM_NAMES, provide } from './provide.ts';

/** `npm run servers`: what `npm start` and the tests install when they need it, in one go. */
try {
  await provide(
    printProgress((text) => process.stdout.write(text)),
    PROGRAM_NAMES,
  );
  process.stdout.write('✓ all servers are installed\n');
} catch (error) {
  process.stderr.write(`✗ ${describeFailure(error)}\n`);
  process.exitCode = 1;
}
