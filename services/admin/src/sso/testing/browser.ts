import assert from 'node:assert/strict';
import { peopleOf, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { createCookieJar } from '@gatehouse/http/testing';
import { emailKey } from '@gatehouse/schema';
import { castOf } from '../../testing/cast.ts';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';
import { CLIENT, HONEST, startProvider, type Behaviour, type TestProvider } from './provider.ts';

export { problem } from '../../testing/cast.ts';

export const ADMIN_URL = 'https://admin.gatehouse.test';
export const RETURN_URL = 'https://app.gatehouse.test/signed-in';
export const OTHER_RETURN_URL = 'https://app.gatehouse.test/other?tab=1';

export function personClaims(email: string, claims: Record<string, unknown> = {}) {
  const sub = `subject of ${encodeURIComponent(email)}`;
  return { sub, email, email_verified: true, name: 'Ann Other', ...claims };
}

/** The settings of identity providers by id, or what says them before the tests. */
type Wishes = Record<string, object> | (() => Record<string, object>);

/** Starts Admin with identity providers, each of them a separate server with the given settings. */
export async function startSso(wishes: Wishes, changes: Parameters<typeof startAdmin>[0] = {}) {
  const providers = new Map<string, TestProvider>();
  const list: object[] = [];
  for (const [id, wished] of Object.entries(typeof wishes === 'function' ? wishes() : wishes)) {
    const started = await startProvider();
    providers.set(id, started);
    const returnUrls = [RETURN_URL, OTHER_RETURN_URL];
    list.push({ id, issuer: started.issuer, ...CLIENT, trustEmail: true, returnUrls, ...wished });
  }
  const settings = { ADMIN_URL, SSO_PROVIDERS: JSON.stringify(list) };
  const admin = await startAdmin(changes, undefined, settings);
  await admin.app.relay.stop();
  const provider = (id: string): TestProvider => {
    const found = providers.get(id);
    if (found === undefined) throw new Error(`there is no provider ${id}`);
    return found;
  };
  /** Sets whom the provider identifies next, and makes it honest except for `lies`. */
  const recognise = (id: string, person: Record<string, unknown>, lies: Partial<Behaviour> = {}): void => {
    Object.assign(provider(id).behaviour, HONEST, { person }, lies);
  };
  const signOn = (id: string, person: Record<string, unknown>, lies: Partial<Behaviour> = {}) => {
    recognise(id, person, lies);
    return openBrowser(admin).signOn(id);
  };
  return {
    ...peopleOf(() => admin.app),
    admin,
    settings,
    provider,
    browser: (address?: string) => openBrowser(admin, address),
    recognise,
    logOut: (id: string, token: string) =>
      admin.http.post(`/auth/${id}/backchannel-logout`).type('form').send({ logout_token: token }),
    signOn,
    /** Signs a person on: the id of the account that the tokens belong to, or the error, which comes alone. */
    accountOf: async (...given: Parameters<typeof signOn>): Promise<string | undefined> => {
      const { parameters } = await signOn(...given);
      if (parameters['error'] !== undefined) {
        assert.deepEqual(Object.keys(parameters), ['error']);
        return parameters['error'];
      }
      const caller = await admin.app.auth.authenticate(`Bearer ${parameters[`${given[0]}_token`]}`);
      return caller.kind === 'session' ? caller.accountId : JSON.stringify(caller);
    },
    findAccount: (email: string) => accounts.findByEmailKey(admin.app.db, emailKey(email)),
    /** A browser that the provider sends back with this person: what it opens then, and the cookie that it has for that. */
    sentBack: async (
      id = 'demo',
      person: Record<string, unknown> = personClaims(someEmail()),
      query = '',
    ) => {
      recognise(id, person);
      const browser = openBrowser(admin);
      const callback = await browser.visit(await browser.begin(id, query));
      return { browser, callback, cookie: browser.jar.header(callback) };
    },
    /** A sign-on that began ten seconds ago, more than times may differ, and whose browser is about to return. */
    comingBack: async (id: string, query?: string) => {
      const browser = openBrowser(admin);
      admin.app.clock.now = () => Date.now() - 10_000;
      const authorization = await browser.begin(id, query).finally(() => (admin.app.clock.now = Date.now));
      const callback = await browser.visit(authorization);
      return () => browser.returnFromProvider(callback);
    },
    stop: async () => {
      await admin.stop();
      await Promise.all([...providers.values()].map((one) => one.stop()));
    },
  };
}

export type TestSso = Awaited<ReturnType<typeof startSso>>;

/** Admin with these providers for the tests of a file, and an administrator (`boss`). */
export function useSso(...given: Parameters<typeof startSso>) {
  const sso = {} as TestSso; // filled before the tests
  before(async () => Object.assign(sso, await startSso(...given)));
  after(() => sso.stop());
  return Object.assign(sso, { boss: castOf(() => sso.admin).boss });
}

export interface Returned {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Without the added parameters. */
  returnUrl: string;
  parameters: Record<string, string>;
}

function openBrowser(admin: TestAdmin, address = someAddress()) {
  const jar = createCookieJar();
  const get = async (url: string, headers: Record<string, string> = {}) => {
    const cookie = jar.header(url);
    const answer = await admin.http
      .get(url.slice(ADMIN_URL.length))
      .set({ 'x-forwarded-for': address, ...(cookie !== '' && { cookie }), ...headers })
      .redirects(0);
    const set: unknown = answer.headers['set-cookie'];
    jar.take(url, Array.isArray(set) ? set.map(String) : []);
    return answer;
  };
  const begin = async (id: string, query = ''): Promise<string> => {
    const answer = await get(`${ADMIN_URL}/auth/${id}/login${query}`);
    if (answer.status !== 303) throw new Error(`login: ${answer.status} ${answer.text}`);
    return String(answer.headers['location']);
  };
  const visit = async (authorizationUrl: string): Promise<string> => {
    const answer = await fetch(authorizationUrl, { redirect: 'manual' });
    return answer.headers.get('location') ?? '';
  };
  type Headers = Record<string, string>;
  const returnFromProvider = async (callback: string, headers: Headers = {}): Promise<Returned> => {
    const answer = await get(callback, headers);
    const location = answer.headers['location'] ?? '';
    const [returnUrl = '', added] = location.split(/[?&]((?:authCallback|error)=.*)/);
    const { status, headers: received, body } = answer;
    const parameters = Object.fromEntries(new URLSearchParams(added));
    return { status, headers: received, body, returnUrl, parameters };
  };
  const signOn = async (id: string, query = ''): Promise<Returned> =>
    returnFromProvider(await visit(await begin(id, query)));
  return { jar, get, begin, visit, returnFromProvider, signOn };
}

export function hasTokens({ status, parameters }: Returned, id = 'demo'): boolean {
  const both = parameters[`${id}_token`] && parameters[`${id}_refresh_token`];
  const isRight = status === 303 && parameters['authCallback'] === 'true' && Boolean(both);
  return isRight && parameters['error'] === undefined;
}
