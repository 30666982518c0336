import { someAddress } from '@gatehouse/accounts/testing';
import { createCookieJar } from '@gatehouse/http/testing';
import { startAdmin, type TestAdmin } from '../../testing/index.ts';
import { CLIENT, startProvider, type Behaviour, type TestProvider } from './provider.ts';

/** Where browsers reach Admin in these tests, as its configuration has it. */
export const ADMIN_URL = 'https://admin.gatehouse.test';
export const RETURN_URL = 'https://app.gatehouse.test/signed-in';
export const OTHER_RETURN_URL = 'https://app.gatehouse.test/other?tab=1';

/** Somebody as a provider tells of them. */
export function somebody(email: string, claims: Record<string, unknown> = {}) {
  return {
    sub: `subject of ${encodeURIComponent(email)}`,
    email,
    email_verified: true,
    name: 'Ann Other',
    ...claims,
  };
}

/** Admin with identity providers by their ids, each a server of the test's own, and the settings that it has. */
export async function startSso(
  overrides: Record<string, object>,
  changes: Parameters<typeof startAdmin>[0] = {},
) {
  const providers = new Map<string, TestProvider>();
  const list: object[] = [];
  for (const [id, wished] of Object.entries(overrides)) {
    const started = await startProvider();
    providers.set(id, started);
    const returnUrls = [RETURN_URL, OTHER_RETURN_URL];
    list.push({ id, issuer: started.issuer, ...CLIENT, trustEmail: true, returnUrls, ...wished });
  }
  const settings = { ADMIN_URL, SSO_PROVIDERS: JSON.stringify(list) };
  const admin = await startAdmin(changes, undefined, settings);
  const provider = (id: string): TestProvider => {
    const found = providers.get(id);
    if (found === undefined) throw new Error(`there is no provider ${id}`);
    return found;
  };
  /** Lets the provider recognise somebody in the next browser, and lie in these ways alone. */
  const recognise = (id: string, person: Record<string, unknown>, lies: Partial<Behaviour> = {}): void => {
    Object.assign(provider(id).behaviour, HONEST, { person }, lies);
  };
  return {
    admin,
    /** What Admin was started with, for another instance of it. */
    settings,
    provider,
    browser: (address?: string) => openBrowser(admin, address),
    recognise,
    /** A sign-on of somebody in a browser of their own. */
    signOn: (id: string, person: Record<string, unknown>, lies: Partial<Behaviour> = {}) => {
      recognise(id, person, lies);
      return openBrowser(admin).signOn(id);
    },
    stop: async () => {
      await admin.stop();
      await Promise.all([...providers.values()].map((one) => one.stop()));
    },
  };
}

export type TestSso = Awaited<ReturnType<typeof startSso>>;

const HONEST: Partial<Behaviour> = {
  metadata: {},
  claims: {},
  signing: 'right',
  answer: {},
  userInfo: undefined,
  hanging: [],
  failing: [],
};

/** What a client finds in the return address. */
export interface Returned {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Without what was added to it. */
  returnUrl: string;
  /** What was added. */
  parameters: Record<string, string>;
}

/** A browser with cookies and an address of its own, which goes where it is sent. */
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
  /** Opens Admin's login, and gives back where that sends to. */
  const begin = async (id: string, query = ''): Promise<string> => {
    const answer = await get(`${ADMIN_URL}/auth/${id}/login${query}`);
    if (answer.status !== 303) throw new Error(`login: ${answer.status} ${answer.text}`);
    return String(answer.headers['location']);
  };
  /** Follows that to the provider, and gives back where the provider sends to. */
  const visit = async (authorizationUrl: string): Promise<string> => {
    const answer = await fetch(authorizationUrl, { redirect: 'manual' });
    return answer.headers.get('location') ?? '';
  };
  /** Comes back with the provider's answer. */
  const comeBack = async (callback: string, headers: Record<string, string> = {}): Promise<Returned> => {
    const answer = await get(callback, headers);
    const location = answer.headers['location'];
    const [returnUrl = '', added = ''] = splitBefore(location ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.body as Record<string, unknown>,
      returnUrl,
      parameters: Object.fromEntries(new URLSearchParams(added)),
    };
  };
  const signOn = async (id: string, query = ''): Promise<Returned> =>
    comeBack(await visit(await begin(id, query)));
  return { jar, get, begin, visit, comeBack, signOn };
}

/** Whether a sign-on came back with both tokens, and without an error. */
export function hasTokens({ status, parameters }: Returned, id = 'demo'): boolean {
  return (
    status === 303 &&
    parameters['authCallback'] === 'true' &&
    Boolean(parameters[`${id}_token`] && parameters[`${id}_refresh_token`]) &&
    parameters['error'] === undefined
  );
}

/** Parts the return address from what was added to it. */
function splitBefore(location: string): string[] {
  const at = location.search(/[?&](?:authCallback|error)=/);
  return at === -1 ? [location, ''] : [location.slice(0, at), location.slice(at + 1)];
}
