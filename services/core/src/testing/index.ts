import { accountFixtures, openTestAccounts } from '@gatehouse/accounts/testing';
import { PASSWORD, someAddress } from '@gatehouse/accounts/testing';
import type { TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { callsOver, startTestApi } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { coreApi, type CoreOptions } from '../app.ts';
import { openClientTokens } from '../oauth/open-client-tokens.ts';
import { PERSON_ACCESS } from '../person/person.ts';

export { BY_SYSTEM, PASSWORD, someAddress } from '@gatehouse/accounts/testing';
export { during } from '@gatehouse/db/testing';
export { problem } from '@gatehouse/http/testing';

export const faceRules = {
  sharpnessFloor: 0.3,
  automatchThreshold: 0.9,
  margin: 0.05,
  probableThreshold: 0.7,
};

/** What makes the row of an account one without a password. */
export const NO_PASSWORD = 'password_hash = null, password_scheme = null';

export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

export const RETURN_URL = 'https://app.gatehouse.test/signed-in';

/** Core on real servers with a separate database. `secondInstance`: another process of the same installation. */
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
  const sql = <Row extends object>(text: string, values?: Parameters<typeof query>[2]) =>
    query<Row>(app.db, text, values);
  const { mailRequests, clientTokens } = api.deps;
  return {
    ...{ app, http, url, stop, mailRequests, clientTokens },
    ...{ post, bearer, pingWith, login, sql },
  };
}

/** Core, and calls by accounts and sessions that are created without its API. */
export async function startCoreWithSessions(...options: Parameters<typeof startCore>) {
  const core = await startCore(...options);
  return { ...core, ...callsOver(core.http, someAddress()), ...accountFixtures(core.app) };
}

export type CoreWithSessions = Awaited<ReturnType<typeof startCoreWithSessions>>;

export type TestCore = Awaited<ReturnType<typeof startCore>>;
