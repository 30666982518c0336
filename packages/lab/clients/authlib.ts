import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NOWHERE, type StartClient } from './real-client.ts';

const PROGRAM = fileURLToPath(new URL('authlib-application.py', import.meta.url));
/** Debian's own, which has Debian's packages. */
const PYTHON = '/usr/bin/python3';
const CALLBACK = `${NOWHERE}/callback`;

/** https://authlib.org, in Python. */
export const authlib: StartClient = async (provider) => {
  const { clientId, clientSecret } = await provider.register(NOWHERE, CALLBACK);
  const program = spawn(PYTHON, [PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { AUTHLIB_INSECURE_TRANSPORT: '1' },
  });
  const ended = once(program, 'exit');
  const answers = createInterface(program.stdout)[Symbol.asyncIterator]();
  const send = (line: unknown): void => void program.stdin.write(`${JSON.stringify(line)}\n`);
  send([provider.issuer, clientId, clientSecret, CALLBACK]);
  const call = async <T>(...command: string[]): Promise<T> => {
    send(command);
    const answer = (await answers.next()) as IteratorResult<string, undefined>;
    if (answer.done === true) throw new Error('the program has ended');
    const { value, error } = JSON.parse(answer.value) as { value: T; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  };
  return {
    signIn: async (browser) => {
      const back = await browser.visit(await call<string>('begin'), CALLBACK);
      const { email, sid } = await call<{ email: string; sid: string }>('finish', back.url);
      return { email, sessionId: sid };
    },
    userinfo: () => call<string>('userinfo'),
    refresh: () => call('refresh'),
    logOut: async (browser) => {
      await browser.visit(await call<string>('logout_url', NOWHERE), NOWHERE);
    },
    stop: async () => {
      program.stdin.end();
      await ended;
    },
  };
};
