import { askAtTerminal, createAdminCommand } from '@gatehouse/tools';
import { localStack } from '../stack/local-stack.ts';
import { describeFailure } from '../output/stack-error.ts';

/** `npm run create-admin`: on the database of the settings, else on the stack that runs here. */
try {
  const options = { ask: askAtTerminal, environment: settings };
  process.stdout.write(await createAdminCommand(process.argv.slice(2), options));
} catch (error) {
  process.stderr.write(`✗ ${describeFailure(error)}\n`);
  process.exitCode = 1;
}

function settings(): NodeJS.ProcessEnv {
  const given = process.env;
  if ((given['DATABASE_URL'] ?? given['DATABASE_URL_FILE'] ?? '') !== '') return given;
  const { facts, secrets } = localStack('Or name another database: try --help.');
  const isPepperGiven = given['PASSWORD_PEPPER'] ?? given['PASSWORD_PEPPER_FILE'];
  return {
    ...given,
    DATABASE_URL: facts.databaseUrl,
    ...(!isPepperGiven && { PASSWORD_PEPPER: secrets.value('password-pepper') }),
  };
}
