import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { later, otherSite, type Site } from '../testing/index.ts';

const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><title>The app</title><script src="/library.js"></script>';

/**
 * An app on another origin that signs its users in, for the tests of a `describe`. It has one page, which shows nothing,
 * and can have a library.
 */
export function appOf(site: Site, library = ''): TestingApp {
  let app: TestingApp;
  const server = otherSite(({ url }, response) => {
    const isLibrary = url === '/library.js';
    response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
    response.end(isLibrary ? library : PAGE);
  });
  before(() => {
    app = appAt(server.origin, site);
  });
  return later(() => app);
}

type TestingApp = ReturnType<typeof appAt>;

function appAt(origin: string, site: Site) {
  const callback = `${origin}/callback`;
  const goodbye = `${origin}/goodbye`;

  /** Registers the app as a public client. */
  const newClient = async ({
    name = 'Reports',
    addresses = { callback, goodbye },
    grants = 'session',
  } = {}) => {
    const id = randomUUID();
    const insert = `insert into oauth_client (
         id, name, is_public, redirect_uris, post_logout_redirect_uris, scopes, grant_types, roles, grants)
       values (
         :id, :name, true, array[:callback], array[:goodbye], '{openid,profile,email,offline_access,<b>orders</b>}',
         '{authorization_code,refresh_token}', '{User}', :grants)`;
    await site.sql(insert, { id, name, grants, ...addresses });
    return id;
  };
  /** A request for a sign-in, as the app sends a browser with it. */
  const newRequest = (clientId: string, more: Record<string, string> = {}) => {
    const verifier = randomBytes(32).toString('base64url');
    const state = randomBytes(16).toString('base64url');
    const asked = new URLSearchParams({
      client_id: clientId,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid email offline_access',
      state,
      nonce: 'n',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    return { verifier, state, path: `/oauth/authorize?${asked.toString()}` };
  };
  /** Exchanges the code in the address to which the browser was redirected. */
  const exchange = async (clientId: string, verifier: string, address: string) => {
    const answer = await fetch(`${site.stack.facts.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: new URL(address).searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: callback,
      }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`token: ${answer.status} ${text}`);
    return JSON.parse(text) as { access_token: string; refresh_token: string; id_token: string };
  };
  /** Signs in the user of a page, who allows it. */
  const signIn = async (page: Page, clientId: string) => {
    const { path, verifier } = newRequest(clientId);
    await page.goto(site.origin + path);
    await page.getByRole('button', { name: /^(Allow|Zulassen)/, disabled: false }).click();
    await page.waitForURL(`${callback}?*`);
    return exchange(clientId, verifier, page.url());
  };
  const refresh = async (clientId: string, refreshToken: string): Promise<number> => {
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
    const body = new URLSearchParams(fields);
    return (await fetch(`${site.stack.facts.baseUrl}/oauth/token`, { method: 'POST', body })).status;
  };
  return { origin, callback, goodbye, newClient, newRequest, exchange, signIn, refresh };
}

/** The claims of a token, which is not verified. */
export function claimsIn(token: string): Record<string, unknown> {
  const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(text) as Record<string, unknown>;
}
