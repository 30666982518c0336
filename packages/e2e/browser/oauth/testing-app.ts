import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { during, serve } from '@gatehouse/runtime/testing';
import type { Site } from '../testing/index.ts';

const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><title>The app</title><script src="/library.js"></script>';

/** An app on another origin that signs its users in: one page, which shows nothing, and a library if it is given one. */
export function appOf(site: Site, library = '') {
  return during(async () => {
    const { url: origin, stop } = await serve(({ url }, response) => {
      const isLibrary = url === '/library.js';
      response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
      response.end(isLibrary ? library : PAGE);
    });
    return { ...appAt(origin, site), stop };
  });
}

function appAt(origin: string, site: Site) {
  const callback = `${origin}/callback`;
  const goodbye = `${origin}/goodbye`;

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
  const token = (clientId: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: clientId, ...fields });
    return fetch(`${site.stack.facts.baseUrl}/oauth/token`, { method: 'POST', body });
  };
  const exchange = async (clientId: string, verifier: string, address: string) => {
    const answer = await token(clientId, {
      grant_type: 'authorization_code',
      code: new URL(address).searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: callback,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`token: ${answer.status} ${text}`);
    return JSON.parse(text) as { access_token: string; refresh_token: string; id_token: string };
  };
  const signIn = async (page: Page, clientId: string) => {
    const { path, verifier } = newRequest(clientId);
    await page.goto(site.origin + path);
    await page.getByRole('button', { name: /^(Allow|Zulassen)/, disabled: false }).click();
    await page.waitForURL(`${callback}?*`);
    return exchange(clientId, verifier, page.url());
  };
  const refresh = async (clientId: string, refreshToken: string): Promise<number> => {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return (await token(clientId, fields)).status;
  };
  return { origin, callback, goodbye, newClient, newRequest, exchange, signIn, refresh };
}

export function claimsIn(token: string): Record<string, unknown> {
  const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(text) as Record<string, unknown>;
}
