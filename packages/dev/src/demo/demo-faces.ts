import { demoFacesCommand } from './demo-faces-command.ts';
import { describeFailure } from '../command.ts';

/** `npm run demo:faces` */
try {
  await demoFacesCommand(process.argv.slice(2), (text) => void process.stdout.write(text));
} catch (error) {
  process.stderr.write(`\n✗ ${error instanceof TypeError ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
}
