import { openBrowser, type Page } from '../../e2e/src/testing/browser.ts';
import { PASSWORD, startWorld, type World } from '../../e2e/src/testing/index.ts';

/** What an application is registered with. */
export interface Registration {
  clientId: string;
  clientSecret: string;
}

/** The browser of somebody who is signed in. It answers our pages as their scripts do. */
export interface UserBrowser {
  email: string;
  /** The header with which it is signed in at our pages. */
  cookie: string;
  /** Goes to an address and on to wherever it leads, up to `stopAt`. */
  visit(url: string, stopAt: string): Promise<Page>;
  /** Types the code of a device, and allows what it asks for. */
  answerDevice(UserCode: string): Promise<Record<string, string>>;
  /** Ends everything that stays signed in. */
  signOutDevices(): Promise<void>;
}

export type Provider = Awaited<ReturnType<typeof providerOf>>;

/** The whole system as a provider for applications. */
export async function startProvider() {
  const world = await startWorld({ SINGLE_SESSION: 'false', WEBHOOKS: 'on' });
  return { ...(await providerOf(world)), stop: () => world.stop() };
}

/** A running system as a provider for applications. */
export async function providerOf(world: World) {
  const { adminUrl, admin, baseUrl, pagesUrl } = world.stack.facts;
  const { Token } = await world.login(admin.Email, admin.Password);
  const administer = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${adminUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${Token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
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
  const newBrowser = async (): Promise<UserBrowser> => {
    const email = await world.newAccount();
    const browser = openBrowser(pagesUrl);
    const ask = async (path: string, body: object): Promise<Record<string, string>> => {
      const url = `${pagesUrl}${path}`;
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: pagesUrl },
          cookie: browser.jar.header(url),
        },
        body: JSON.stringify(body),
      });
      browser.jar.take(url, answer.headers.getSetCookie());
      const text = await answer.text();
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${text}`);
      return JSON.parse(text) as Record<string, string>;
    };
    await ask('/account/login', { Username: email, Password: PASSWORD, Delivery: 'Cookie' });
    const visit = async (url: string, stopAt: string): Promise<Page> => {
      if (url.startsWith(stopAt)) return { url, status: 0, headers: new Headers(), text: '' };
      const { pathname, search } = new URL(url);
      const page = PAGES[pathname];
      if (!url.startsWith(pagesUrl) || page === undefined) {
        const next = await browser.go(url);
        return next.url.startsWith(pagesUrl) ? visit(next.url, stopAt) : next;
      }
      const answer = await ask(page, { Request: search.slice(1) });
      if (answer['Location'] === undefined) throw new Error(`${pathname}: ${JSON.stringify(answer)}`);
      return visit(answer['Location'], stopAt);
    };
    const answerDevice = async (UserCode: string) => {
      const { ConsentTo } = await ask('/oauth/device', { UserCode });
      return ask('/oauth/device', { UserCode, Answer: 'granted', ConsentTo });
    };
    const signOutDevices = async (): Promise<void> => {
      const url = `${pagesUrl}/account/grant`;
      const headers = { 'sec-fetch-site': 'same-origin', origin: pagesUrl, cookie: browser.jar.header(url) };
      const { status } = await fetch(url, { method: 'DELETE', headers });
      if (status !== 204) throw new Error(`DELETE ${url}: ${status}`);
    };
    return { email, cookie: browser.jar.header(pagesUrl), visit, answerDevice, signOutDevices };
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
