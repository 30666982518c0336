import { ConfigError } from '@gatehouse/runtime';
import { askAtTerminal } from './ask.ts';
import { createAdminCommand } from './create-admin-command.ts';
import { describeFailure } from './stack-error.ts';

/** `npm run create-admin` */
try {
  const options = { ask: askAtTerminal, environment: process.env };
  process.stdout.write(await createAdminCommand(process.argv.slice(2), options));
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof TypeError;
  process.stderr.write(`✗ ${isPlain ? error.message : describeFailure(error)}\n`);
  process.exitCode = 1;
}
