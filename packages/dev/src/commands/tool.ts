import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { programArguments } from '@gatehouse/build';
import { command, onInterrupt, printProgress, ROOT } from '../command.ts';
import { DEMO_TELEVISION } from '../demo/demos.ts';
import { demoFacesUrl } from '../demo/seed-demo.ts';
import { built } from '../stack/programs.ts';
import { localStack } from '../stack/stack-file.ts';

const EXAMPLES: Readonly<Record<string, string>> = {
  'demo:faces': 'examples/faces/report.mjs',
  'demo:tv': 'examples/television/television.mjs',
};

/** The caller's settings, completed by those of the stack of this folder. @throws {StackError} if none runs. */
export function localSettings(
  name: string,
  args: string[],
  given: NodeJS.ProcessEnv,
  findStack = localStack,
): NodeJS.ProcessEnv {
  switch (name) {
    case 'create-admin':
    case 'erase:replay': {
      if (isGiven(given, 'DATABASE_URL')) return given;
      const { facts, secrets } = findStack('Or name another database: try --help.');
      const settings = { ...given, DATABASE_URL: facts.databaseUrl };
      if (isGiven(given, 'PASSWORD_PEPPER')) return settings;
      return { ...settings, PASSWORD_PEPPER: secrets.value('password-pepper') };
    }
    case 'import': {
      if (namesAdmin(args)) return given;
      const { adminUrl, baseUrl, admin } = findStack('Or name Admin’s address with --url.').facts;
      return {
        ...given,
        IMPORT_URL: adminUrl,
        IMPORT_LOGIN_URL: baseUrl,
        IMPORT_EMAIL: admin.Email,
        IMPORT_PASSWORD: admin.Password,
      };
    }
    case 'demo:faces': {
      const { baseUrl, amqpUrl, idpUrl, seed } = findStack('Then run this again.').facts;
      return {
        ...given,
        GATEHOUSE: baseUrl,
        AMQP_URL: amqpUrl,
        EMAIL: seed.user.Email,
        PASSWORD: seed.user.Password,
        // The demo provider draws them.
        ...(idpUrl !== undefined && { IMAGES_URL: demoFacesUrl(idpUrl) }),
      };
    }
    case 'demo:tv': {
      const { baseUrl } = findStack('Then run this again.').facts;
      return { ...given, ISSUER: baseUrl, CLIENT_ID: DEMO_TELEVISION };
    }
    default:
      return given;
  }
}

/** Whether they need no stack: they name an Admin, or they are wrong, which the command itself reports. */
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

/** `npm run create-admin`, `import`, `keys` and so on: runs the operators' commands as they are shipped, or an example. */
await command(import.meta.url, async ([name = '', ...args]) => {
  const env = localSettings(name, args, process.env);
  await built(printProgress((text) => process.stderr.write(text)));
  const example = EXAMPLES[name];
  const program = example === undefined ? [...programArguments('tools'), name] : [join(ROOT, example)];
  const child = spawn(process.execPath, [...program, ...args], { stdio: 'inherit', env });
  onInterrupt(() => child.kill());
  await once(child, 'close');
  process.exitCode = child.exitCode ?? 1;
});
