import { readFileSync } from 'node:fs';
import { connectDb } from '@gatehouse/db';
import { testServers } from '@gatehouse/runtime/testing';
import { freePorts } from '@gatehouse/dev';
import { openBrowser } from '../../e2e/src/testing/browser.ts';
import { PASSWORD, startWorld } from '../../e2e/src/testing/index.ts';
import { openMailProxy } from '../../e2e/src/world/mail-sink.ts';
import { send, type Received, type Sent } from '../../e2e/src/requests/send.ts';

export type ServiceName = 'core' | 'portal' | 'admin';

export type HttpAnswer = Omit<Received, 'body'> & { json: Received['body']; ms: number };

/** The promise for every response, whatever the request. */
const ANSWER_MS = 5000;

export type Target = Awaited<ReturnType<typeof startTarget>>;

/** Pending accounts are not disclosed, failed logins and mails less limited; all else is as in production. */
export async function startTarget({ ownServers = true, settings = {} } = {}) {
  const ports = await freePorts();
  const smtpPort = ownServers ? ports.smtp : Number(new URL(testServers().smtpUrl).port);
  const mailProxy = await openMailProxy(smtpPort);
  const world = await startWorld(
    {
      DISCLOSE_PENDING_ACCOUNTS: 'false',
      BCRYPT_COST: '8',
      // Enough failures and mails to compare response times.
      LOGIN_FAILURES_FREE: '30',
      MAILS_PER_HOUR: '200',
      WEBHOOKS: 'on',
      ...settings,
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

  /** The body of the answer, which must be no refusal. */
  const must = async (service: ServiceName, path: string, body: object, token?: string, method = 'POST') => {
    const { status, json, text } = await to(service, { method, path, body, token });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  };
  const newToken = async (Role: 'Admin' | 'Service', by = adminToken): Promise<string> =>
    String((await must('admin', '/admin/api-token', { Name: `for attacks, ${Role}`, Role }, by))['Token']);
  const adminToken: string = await newToken('Admin', adminSession);

  /** An account that an administrator creates: verified and with the password of the tests, unless overridden. */
  const newPerson = async (overrides: object = {}): Promise<{ id: string; email: string }> => {
    const email = world.someEmail();
    const wanted = { Email: email, Password: PASSWORD, ...overrides };
    const { Id } = await must('admin', '/admin/account', wanted, adminToken);
    return { id: String(Id), email };
  };
  const change = (id: string, changes: object) =>
    must('admin', `/admin/account/${id}`, changes, adminToken, 'PATCH');
  /** Logs in without the gateway, each time from a different address, because failures are counted by address. */
  const logIn = async (Username: string) => {
    const { Token, RefreshToken } = await must('core', '/account/login', { Username, Password: PASSWORD });
    return { Token: String(Token), RefreshToken: String(RefreshToken) };
  };
  const imported = (...lines: object[]): Promise<HttpAnswer> =>
    to('admin', {
      method: 'POST',
      path: '/admin/account/import',
      token: adminToken,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
  const mailedInvitation = async (email: string): Promise<string> => {
    const { text } = await world.latestMail(email);
    const token = /#InvitationToken=([\w-]+)/.exec(text)?.[1];
    if (token === undefined) throw new Error('the latest mail holds no link');
    return token;
  };
  /** Invites an address to the first channel. Returns the id of the account. */
  const invite = async (email: string): Promise<string> => {
    const body = { Emails: [email], ContentDefinitionId: facts.seed.contentDefinitionId };
    const { Items } = await must('portal', '/account/invite-user', body, adminToken);
    const [item] = Items as { UserId: string }[];
    return item?.UserId ?? '';
  };
  const registerGuest = (InvitationToken: string, password = PASSWORD) =>
    must('portal', '/account/register-guest', { InvitationToken, Password: password, DisplayName: 'Gus' });
  const signOn = async (login: string) => {
    const { adminUrl, ssoProvider, sso } = facts;
    const browser = openBrowser(sso.returnUrls[0] ?? '');
    const form = await browser.go(`${adminUrl}/auth/${ssoProvider}/login`);
    const { searchParams } = new URL((await browser.submit(form, { login })).url);
    const token = searchParams.get(`${ssoProvider}_token`);
    const refreshToken = searchParams.get(`${ssoProvider}_refresh_token`);
    if (token === null || refreshToken === null) throw new Error(`no sign-on: ${searchParams.get('error')}`);
    return { token, refreshToken };
  };
  return {
    ...world,
    db,
    mailProxy,
    /** Sends a request to a service, not through the gateway. */
    to,
    posts: post,
    must,
    adminToken,
    newToken,
    newPerson,
    imported,
    change,
    logIn,
    mailedInvitation,
    invite,
    registerGuest,
    signOn,
    logs: () => new Map(facts.logs.map((file) => [file, readFileSync(file, 'utf8')])),
    stop: async (): Promise<void> => {
      await db.destroy();
      await world.stop();
      await mailProxy.close();
    },
  };
}
