import { openBrowser, type Page } from '../../e2e/src/testing/browser.ts';
import { callAt, PASSWORD, startWorld, type World } from '../../e2e/src/testing/index.ts';

export interface Registration {
  clientId: string;
  clientSecret: string;
}

/** The browser of somebody who is signed in. It answers our pages as their scripts do. */
export type UserBrowser = Awaited<ReturnType<Provider['newBrowser']>>;

export type Provider = ReturnType<typeof providerOf>;

/** The whole system as a provider for applications. */
export async function startProvider() {
  const world = await startWorld({ SINGLE_SESSION: 'false', WEBHOOKS: 'on' });
  return { ...providerOf(world), stop: () => world.stop() };
}

export function providerOf(world: World) {
  const { administer } = world;
  const { baseUrl, pagesUrl } = world.stack.facts;
  /** Registers a confidential application that needs no consent. */
  const register = async (origin: string, callback: string, more: object = {}): Promise<Registration> => {
    const { Id, Secret } = await administer('/admin/oauth-client', {
      Name: 'Reports',
      RedirectUris: [callback],
      PostLogoutRedirectUris: [origin],
      IsTrusted: true,
      ...more,
    });
    return { clientId: String(Id), clientSecret: String(Secret) };
  };
  const newBrowser = async () => {
    const email = await world.newAccount();
    const browser = openBrowser(pagesUrl);
    const ask = async (path: string, body?: object, method = 'POST'): Promise<Record<string, unknown>> => {
      const url = `${pagesUrl}${path}`;
      const own = { 'sec-fetch-site': 'same-origin', origin: pagesUrl, cookie: browser.jar.header(url) };
      const answer = await callAt(pagesUrl, method, path, { body, headers: own });
      browser.jar.take(url, answer.headers.getSetCookie());
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    };
    await ask('/account/login', { Username: email, Password: PASSWORD, Delivery: 'Cookie' });
    /** Goes to an address and on to wherever it leads, up to `stopAt`. */
    const visit = async (url: string, stopAt: string): Promise<Page> => {
      if (url.startsWith(stopAt)) return { url, status: 0, headers: new Headers(), text: '' };
      const { pathname, search } = new URL(url);
      const page = PAGES[pathname];
      if (!url.startsWith(pagesUrl) || page === undefined) {
        const next = await browser.go(url);
        return next.url.startsWith(pagesUrl) ? visit(next.url, stopAt) : next;
      }
      const answer = await ask(page, { Request: search.slice(1) });
      const { Location } = answer;
      if (typeof Location !== 'string') throw new Error(`${pathname}: ${JSON.stringify(answer)}`);
      return visit(Location, stopAt);
    };
    /** Types the code of a device, and allows what it asks for. */
    const answerDevice = async (UserCode: string) => {
      const { ConsentTo } = await ask('/oauth/device', { UserCode });
      return ask('/oauth/device', { UserCode, Answer: 'granted', ConsentTo });
    };
    /** Ends everything that stays signed in. */
    const signOutDevices = () => ask('/account/grant', undefined, 'DELETE');
    /** The header with which it is signed in at our pages. */
    const cookie = browser.jar.header(pagesUrl);
    return { email, cookie, visit, answerDevice, signOutDevices };
  };
  const endSession = (sessionId: string) =>
    administer('/admin/user-session', { SessionId: sessionId, Status: 4 });
  return { issuer: baseUrl, pages: pagesUrl, administer, register, newBrowser, endSession };
}

/** What our pages call with the request in their address. */
const PAGES: Record<string, string> = {
  '/oauth/authorize': '/oauth/authorization',
  '/oauth/logout': '/oauth/end-session',
};
