import { readFileSync } from 'node:fs';
import { connectDb } from '@gatehouse/db';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { freePorts } from '@gatehouse/dev';
import { PASSWORD, startWorld } from '../../e2e/src/testing/index.ts';
import { openMailProxy } from '../../e2e/src/world/mail-proxy.ts';
import { send, type Received, type Sent } from '../../e2e/src/requests/send.ts';

export type ServiceName = 'core' | 'portal' | 'admin';

/** The response, with how long it took. */
export type HttpAnswer = Omit<Received, 'body'> & { json: Received['body']; ms: number };

/** The promise for every response, whatever the request. */
const ANSWER_MS = 5000;

/** Enough failures and mails to compare response times. */
const FAILURES_FREE = 30;
const MAILS_PER_HOUR = 200;

/** The whole system, with helpers for an attacker and for the test. */
export type Target = Awaited<ReturnType<typeof startTarget>>;

/**
 * Starts the system, on private servers unless told otherwise. It does not disclose pending accounts, and limits failed
 * logins and mails less strictly. Everything else is as in production.
 */
export async function startTarget({ ownServers = true, bcryptCost = 8 } = {}) {
  const ports = await freePorts();
  const smtpPort = ownServers ? ports.smtp : Number(new URL(testServers().TEST_SMTP_URL).port);
  const mailProxy = await openMailProxy(smtpPort);
  const world = await startWorld(
    {
      DISCLOSE_PENDING_ACCOUNTS: 'false',
      BCRYPT_COST: String(bcryptCost),
      LOGIN_FAILURES_FREE: String(FAILURES_FREE),
      MAILS_PER_HOUR: String(MAILS_PER_HOUR),
      WEBHOOKS: 'on',
    },
    {
      ownServers,
      ports,
      reroute: (url) =>
        url.endsWith(`:${smtpPort}`) ? url.replace(String(smtpPort), String(mailProxy.port)) : url,
    },
  ).catch(async (error: unknown) => {
    await mailProxy.close();
    throw error;
  });
  const { facts } = world.stack;
  const db = connectDb({ url: facts.databaseUrl, applicationName: 'attacks', poolMax: 4 });
  /** Rejects if there is no response within five seconds. Each request has another address, as failures count by it. */
  const to = async (
    service: ServiceName,
    { token, headers, ...sent }: Sent & { token?: string | undefined },
  ): Promise<HttpAnswer> => {
    const startedAt = performance.now();
    const bearer = token !== undefined && { authorization: `Bearer ${token}` };
    const asked = { ...sent, headers: { ...bearer, ...headers } };
    const { body: json, ...answer } = await send(facts.urls[service], asked, ANSWER_MS);
    return { ...answer, json, ms: performance.now() - startedAt };
  };
  const { Email, Password } = facts.admin;
  const adminSession = (await world.login(Email, Password)).Token;
  const post = (service: ServiceName, path: string, body: object = {}, token?: string) =>
    to(service, { method: 'POST', path, body, token });

  const made = async (path: string, body: object, by: string): Promise<Record<string, unknown>> => {
    const { status, json, text } = await post('admin', path, body, by);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    return json;
  };
  const newToken = async (Role: 'Admin' | 'Service', by = adminToken): Promise<string> =>
    String((await made('/admin/api-token', { Name: `for attacks, ${Role}`, Role }, by))['Token']);
  const adminToken: string = await newToken('Admin', adminSession);

  /** An account that an administrator creates: verified and with the password of the tests, unless overridden. */
  const newPerson = async (overrides: object = {}): Promise<{ id: string; email: string }> => {
    const email = world.someEmail();
    const wanted = { Email: email, Password: PASSWORD, ...overrides };
    const { Id } = await made('/admin/account', wanted, adminToken);
    return { id: String(Id), email };
  };
  const change = async (id: string, changes: object): Promise<void> => {
    const path = `/admin/account/${id}`;
    const { status, text } = await to('admin', { method: 'PATCH', path, body: changes, token: adminToken });
    if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${text}`);
  };
  /** Logs in without the gateway, each time from a different address, because failures are counted by address. */
  const logIn = async (email: string) => {
    const login = { Username: email, Password: PASSWORD };
    const { status, json, text } = await post('core', '/account/login', login);
    if (status !== 200) throw new Error(`login: ${status} ${text}`);
    return { Token: String(json['Token']), RefreshToken: String(json['RefreshToken']) };
  };
  /** Imports accounts from another system. */
  const imported = (...lines: object[]): Promise<HttpAnswer> =>
    to('admin', {
      method: 'POST',
      path: '/admin/account/import',
      token: adminToken,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
  /** The secret of the link in the latest mail. */
  const mailedInvitation = async (email: string): Promise<string> => {
    const mails = await eventually(async () => {
      const found = await world.mailsTo(email);
      return found.length > 0 && found;
    }, 20);
    const latest = mails.toSorted((a, b) => a.date.localeCompare(b.date)).at(-1);
    const token = /#InvitationToken=([\w-]+)/.exec(latest?.text ?? '')?.[1];
    if (token === undefined) throw new Error('the latest mail holds no link');
    return token;
  };
  return {
    ...world,
    db,
    mailProxy,
    /** Sends a request to a service, not through the gateway. */
    to,
    posts: post,
    adminToken,
    newToken,
    newPerson,
    imported,
    change,
    logIn,
    mailedInvitation,
    /** The content of every log so far, by file. */
    logs: () => new Map(facts.logs.map((file) => [file, readFileSync(file, 'utf8')])),
    stop: async (): Promise<void> => {
      await db.destroy();
      await world.stop();
      await mailProxy.close();
    },
  };
}
