import {
  accountFixtures,
  codeIn,
  openTestAccounts,
  PASSWORD,
  someAddress,
  type TestAccounts,
} from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { callsOver, startTestApi } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { coreApi, type CoreOptions } from '../app.ts';
import { openClientTokens } from '../oauth/open-client-tokens.ts';
import { PERSON_ACCESS } from '../person/person.ts';

export { PASSWORD, someAddress } from '@gatehouse/accounts/testing';
export { during } from '@gatehouse/db/testing';

/** The rules for faces that are production's defaults. */
export const faceRules = {
  sharpnessFloor: 0.3,
  automatchThreshold: 0.9,
  margin: 0.05,
  probableThreshold: 0.7,
};

/** An allowed redirect target of logins. */
export const RETURN_URL = 'https://app.gatehouse.test/signed-in';

let emails = 0;

/**
 * Core on real servers with a separate database; `stop` ends it. `secondInstance`: another process of the
 * same installation. `own`: settings of Core only.
 */
export async function startCore(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  secondInstance?: { app: TestAccounts },
  own: Partial<CoreOptions> = {},
) {
  const app = await openTestAccounts(changes, secondInstance?.app, 'core');
  const metrics = own.metrics ?? createMetrics('test');
  const api = coreApi(app.service, {
    issuer: app.settings.ISSUER,
    publicUrl: app.settings.ISSUER,
    tellsOfLogouts: true,
    agents: undefined,
    pingHeaders: 'public',
    selfRegistration: 'open',
    verifyNeedsRegistrant: false,
    personRoles: PERSON_ACCESS,
    pages: { providers: [], addresses: {}, returnUrls: [RETURN_URL], locales: ['en', 'de'] },
    faceRules,
    lifecycle: app.lifecycle,
    ...openClientTokens({ ...app, keys: app.service.keys, now: () => app.clock.now() }),
    ...own,
    metrics,
  });
  const { http, url, stop } = await startTestApi(app, api, metrics);

  // Failures are counted by address, in a Redis that outlives the test.
  const address = someAddress();
  const post = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    http
      .post(path)
      .set({ 'x-forwarded-for': address, ...headers })
      .send(body);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const pingWith = async (token: string) => {
    const { body } = await post('/account/ping', {}, bearer(token)).expect(200);
    return body.PingStatus;
  };
  const login = async (email: string, password = PASSWORD) => {
    const { body } = await post('/account/login', { Username: email, Password: password }).expect(200);
    return body as { Token: string; RefreshToken: string; ExpirationSeconds: number };
  };
  const newAccount = async (): Promise<string> => {
    const email = `person${++emails}.${Date.now()}@example.com`;
    await post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    await post('/account/verify', { Email: email, Code: codeIn(await app.mailsTo(email)) }).expect(200);
    return email;
  };
  /** Requests a password reset code, and waits for its mail. */
  const forget = async (email: string): Promise<string> => {
    const before = (await app.mailsTo(email)).length;
    await post('/account/forgot-password', { Email: email }).expect(200, {});
    await eventually(async () => (await app.mailsTo(email)).length > before);
    return codeIn(await app.mailsTo(email));
  };
  const sql = <Row extends object>(text: string, values?: Parameters<typeof query>[2]) =>
    query<Row>(app.db, text, values);
  const { mailRequests, clientTokens } = api.deps;
  return {
    ...{ app, http, url, stop, mailRequests, clientTokens },
    ...{ post, bearer, pingWith, login, newAccount, forget, sql },
  };
}

/** Core, and calls by accounts and sessions that are created without its API. */
export async function startCoreWithSessions(...options: Parameters<typeof startCore>) {
  const core = await startCore(...options);
  return { ...core, ...callsOver(core.http, someAddress()), ...accountFixtures(core.app) };
}

export type CoreWithSessions = Awaited<ReturnType<typeof startCoreWithSessions>>;

export type TestCore = Awaited<ReturnType<typeof startCore>>;
