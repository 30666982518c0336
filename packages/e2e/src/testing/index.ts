import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { freePorts, startStack, type StackFile, type StackOptions } from '@gatehouse/dev';

export const PASSWORD = 'correct horse battery';

export interface TokenSet {
  Token: string;
  RefreshToken: string;
  ExpirationSeconds: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  text: string;
}

/** The whole system on the servers of the test run, seen by a client outside the gateway. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * Starts the system; the services get `settings`. `ownServers`: use private servers, which a test may disrupt.
 * `reroute` maps the URL of a server to the one that a service gets, for example that of a proxy.
 */
export async function startWorld(
  settings: Record<string, string> = {},
  options: {
    ownServers?: boolean;
    scale?: number;
    demo?: boolean;
    ports?: StackOptions['ports'];
    reroute?: NonNullable<StackOptions['reroute']>;
    /** Used instead of the Postgres of the test run. */
    postgresUrl?: string;
    /** The launcher of another release. */
    startStack?: typeof startStack;
  } = {},
) {
  const { scale = 1, demo = false } = options;
  const given = testServers();
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
  const stack = await (options.startStack ?? startStack)({
    directory,
    ports: options.ports ?? (await freePorts()),
    throwAway: true,
    scale,
    demo,
    settings: { BCRYPT_COST: '4', ...settings },
    ...(options.reroute && { reroute: options.reroute }),
    ...(options.ownServers !== true && {
      servers: { ...given, ...(options.postgresUrl && { postgresUrl: options.postgresUrl }) },
    }),
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    const warnings = stack.facts.logs.flatMap(warningsIn);
    rmSync(directory, { recursive: true, force: true });
    if (warnings.length > 0) throw new Error(`a service caused warnings of Node: ${warnings.join('\n')}`);
  };
  const outside = client(stack);
  return {
    ...{ stack, directory, stop, ...outside },
    administer: async (path: string, body: object) => {
      const { admin, adminUrl } = stack.facts;
      const { Token: token } = await outside.login(admin.Email, admin.Password);
      const answer = await callAt(adminUrl, 'POST', path, { body, token });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    },
  };
}

function warningsIn(log: string): string[] {
  return readFileSync(log, 'utf8').match(/^\(node:\d+\) .*/gm) ?? [];
}

let emails = 0;

export async function callAt(
  base: string,
  method: string,
  path: string,
  given: { body?: unknown; token?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { body, token, headers: more } = given;
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  const [{ status, headers }, text] = [response, await response.text()];
  const isJson = headers.get('content-type')?.includes('json') === true;
  return { status, headers, text, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

/** A running system as seen by a client outside the gateway, however it was started. */
export type Client = ReturnType<typeof client>;

export function client(stack: { readonly facts: Pick<StackFile, 'baseUrl' | 'mailUrl'> }) {
  const call = (method: string, path: string, body?: unknown, token?: string) =>
    callAt(stack.facts.baseUrl, method, path, { body, token });
  const post = (path: string, body: unknown = {}, token?: string) => call('POST', path, body, token);

  const mailsTo = async (email: string): Promise<Mail[]> => {
    const query = new URLSearchParams({ 'to.address': email.toLowerCase() }).toString();
    const response = await fetch(`${stack.facts.mailUrl}/email?${query}`, {
      signal: AbortSignal.timeout(10_000),
    });
    return (await response.json()) as Mail[];
  };
  /** The latest mail to an address, once there are at least `count`. */
  const latestMail = (email: string, count = 1): Promise<Mail> =>
    eventually(async () => {
      const found = await mailsTo(email);
      return found.length >= count && found.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1);
    }, 20);
  const mailedCode = async (email: string, count?: number): Promise<string> => {
    const { subject, text } = await latestMail(email, count);
    const code = /\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/.exec(text)?.[0];
    if (code === undefined) throw new Error(`no code in the mail "${subject}"`);
    return code;
  };
  const login = async (email: string, password = PASSWORD): Promise<TokenSet> => {
    const { status, body, text } = await post('/account/login', { Username: email, Password: password });
    if (status !== 200) throw new Error(`login: ${status} ${text}`);
    return body as unknown as TokenSet;
  };
  const pingStatus = async (token: string) => (await post('/account/ping', {}, token)).body['PingStatus'];
  /** Always of the same length, so that the widths of columns do not depend on the order of tests. */
  const someEmail = () => `e2e${String(++emails).padStart(5, '0')}.${Date.now().toString(36)}@example.com`;
  /** Creates a verified account with the same requests that its owner would send. */
  const newAccount = async (email = someEmail()): Promise<string> => {
    await post('/account/register', { Email: email, Password: PASSWORD });
    const { status } = await post('/account/verify', { Email: email, Code: await mailedCode(email) });
    if (status !== 200) throw new Error(`verify: ${status}`);
    return email;
  };
  return { call, post, mailsTo, latestMail, mailedCode, login, pingStatus, someEmail, newAccount };
}

/** A mail in the format of MailDev's REST API. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  date: string;
  to: { address: string }[];
  headers: Record<string, string>;
}
