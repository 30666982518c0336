import { importCommand, type ImportAccess } from '@gatehouse/tools';
import { localStack } from '../stack/local-stack.ts';
import { describeFailure, StackError } from '../output/stack-error.ts';

/** `npm run import`: into the Admin that is named, else into that of the stack that runs here. */
try {
  const terminal = {
    out: (text: string) => void process.stdout.write(text),
    err: (text: string) => void process.stderr.write(text),
    isScreen: process.stdout.isTTY,
  };
  process.exitCode = await importCommand(process.argv.slice(2), terminal, localAdmin);
} catch (error) {
  process.stderr.write(`\n✗ ${describeFailure(error)}\n`);
  process.exitCode = 1;
}

function localAdmin(): ImportAccess {
  const { facts } = localStack('Or name Admin’s address with --url.');
  return { adminUrl: facts.adminUrl, logIn: () => logIn(facts) };
}

async function logIn(facts: ReturnType<typeof localStack>['facts']): Promise<string> {
  const { Email: Username, Password } = facts.admin;
  const response = await fetch(`${facts.baseUrl}/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Username, Password, DeviceName: 'npm run import' }),
    signal: AbortSignal.timeout(10_000),
  });
  const body = (await response.json()) as { Token?: string; detail?: string };
  if (body.Token !== undefined) return body.Token;
  throw new StackError(
    `The stack's administrator cannot log in: ${body.detail ?? 'a second factor is required'}`,
    'Pass your own token with --token-file.',
  );
}
