import type { Credentials } from '../stack/seed.ts';
import { StackError } from '../command.ts';

/** Core and Portal for a logged-in user. */
export interface DemoApi {
  call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  logOut(): Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** @throws {StackError} if the stack does not answer or the password has been changed. */
export async function logInToDemo(baseUrl: string, who: Credentials): Promise<DemoApi> {
  const given = { Username: who.Email, Password: who.Password };
  const { status, body } = await call(baseUrl, undefined, 'POST', '/account/login', given);
  const token = body['Token'];
  if (status !== 200 || typeof token !== 'string') {
    throw new StackError(
      `${who.Email} cannot log in (${status})`,
      'The password is no longer the one in .local/stack.json, or the account has a second factor.',
    );
  }
  return {
    call: (method, path, content) => call(baseUrl, token, method, path, content),
    logOut: async () => {
      await call(baseUrl, token, 'POST', '/account/logout', {});
    },
  };
}

async function call(
  baseUrl: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: object,
): ReturnType<DemoApi['call']> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new StackError(`No response from ${baseUrl}`, 'Is the stack running? Start it with npm start.', {
      cause,
    });
  });
  const text = await response.text();
  // All our responses with a body are JSON objects.
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}
