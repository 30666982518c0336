import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { programArguments } from '@gatehouse/build';
import { command, onInterrupt, printProgress, ROOT } from '../command.ts';
import { DEMO_TELEVISION, demoFacesUrl } from '../demo/demos.ts';
import { built } from '../stack/programs.ts';
import { localStack } from '../stack/stack-file.ts';

/** The commands that run an example. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'demo:faces': 'examples/faces/report.mjs',
  'demo:tv': 'examples/television/television.mjs',
};

/**
 * The settings of an operators' command: those of the caller, completed by those of the stack that runs from this
 * folder.
 *
 * @throws {StackError} if the command needs a stack and none runs.
 */
export function localSettings(
  name: string,
  args: string[],
  given: NodeJS.ProcessEnv,
  findStack = localStack,
): NodeJS.ProcessEnv {
  switch (name) {
    case 'create-admin':
    case 'erase:replay':
      return isGiven(given, 'DATABASE_URL') ? given : { ...given, ...databaseOf(findStack, given) };
    case 'import':
      return namesAdmin(args) ? given : { ...given, ...adminOf(findStack) };
    case 'demo:faces':
      return { ...given, ...facesOf(findStack) };
    case 'demo:tv':
      return {
        ...given,
        ISSUER: findStack('Then run this again.').facts.baseUrl,
        CLIENT_ID: DEMO_TELEVISION,
      };
    default:
      return given;
  }
}

function databaseOf(findStack: typeof localStack, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { facts, secrets } = findStack('Or name another database: try --help.');
  return {
    DATABASE_URL: facts.databaseUrl,
    ...(!isGiven(given, 'PASSWORD_PEPPER') && { PASSWORD_PEPPER: secrets.value('password-pepper') }),
  };
}

function adminOf(findStack: typeof localStack): NodeJS.ProcessEnv {
  const { facts } = findStack('Or name Admin’s address with --url.');
  return {
    IMPORT_URL: facts.adminUrl,
    IMPORT_LOGIN_URL: facts.baseUrl,
    IMPORT_EMAIL: facts.admin.Email,
    IMPORT_PASSWORD: facts.admin.Password,
  };
}

function facesOf(findStack: typeof localStack): NodeJS.ProcessEnv {
  const { baseUrl, amqpUrl, idpUrl, seed } = findStack('Then run this again.').facts;
  const { Email, Password } = seed.user;
  // The demo provider draws them.
  const images = idpUrl === undefined ? {} : { IMAGES_URL: demoFacesUrl(idpUrl) };
  return { GATEHOUSE: baseUrl, AMQP_URL: amqpUrl, EMAIL: Email, PASSWORD: Password, ...images };
}

/**
 * Whether the arguments need no stack: either they name an Admin, or they are wrong, which the command itself reports.
 */
function namesAdmin(args: string[]): boolean {
  const { values, positionals } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: { url: { type: 'string' }, 'token-file': { type: 'string' } },
  });
  return values.url !== undefined || positionals.length !== 1;
}

function isGiven(environment: NodeJS.ProcessEnv, name: string): boolean {
  return [name, `${name}_FILE`].some((one) => (environment[one] ?? '') !== '');
}

/** Runs Node in this terminal until it ends. If this process is stopped, Node is stopped too. */
function run(nodeArguments: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, nodeArguments, { stdio: 'inherit', env });
  onInterrupt(() => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1));
  });
}

/** `npm run create-admin`, `import`, `keys` and so on: runs the operators' commands as they are shipped, or an example. */
await command(import.meta.url, async ([name = '', ...args]) => {
  const env = localSettings(name, args, process.env);
  await built(printProgress((text) => process.stderr.write(text)));
  const example = EXAMPLES[name];
  const program = example === undefined ? [...programArguments('tools'), name] : [join(ROOT, example)];
  process.exitCode = await run([...program, ...args], env);
});
