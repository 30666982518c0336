import { newClient, REDIRECT_URI } from '@gatehouse/accounts/testing';
import { DEVICE_GRANT } from '@gatehouse/schema';
import { newPkce } from '../../../../../services/core/src/oauth/testing.ts';
import type { Services } from '../services.ts';
import type { Caller, Prepared } from './prepared.ts';

/** Requests about applications. */
export function oauthRequests(services: Services): Prepared {
  const { app, call } = services;

  /** The headers of a call of a page in a browser in which the caller is signed in. */
  const ofPage = ({ id: accountId, sessionId }: Caller) => {
    const value = app.browser.sessions.issue('pages', { accountId, sessionId });
    return { cookie: `__Host-gatehouse=${value}`, 'sec-fetch-site': 'same-origin' };
  };

  /** The call of the page for a browser in which the caller is signed in. */
  const authorization = (caller: Caller, { id: client_id }: { id: string }, { asked } = newPkce()) => {
    const wanted = { client_id, redirect_uri: REDIRECT_URI, response_type: 'code' };
    const query = new URLSearchParams({ ...wanted, scope: 'openid offline_access', ...asked });
    return { headers: ofPage(caller), body: { Request: query.toString() } };
  };

  /** What a client sends for a code of the caller. */
  const withCode = async (caller: Caller) => {
    const [client, pkce] = [await newClient(app), newPkce()];
    const { body, text } = await call('POST /oauth/authorization', authorization(caller, client, pkce));
    if (body['Kind'] !== 'Redirect') throw new Error(`no code: ${text}`);
    const code = new URL(String(body['Location'])).searchParams.get('code') ?? '';
    const own = { client_id: client.id, client_secret: client.secret };
    const proof = { code, code_verifier: pkce.verifier, redirect_uri: REDIRECT_URI };
    return { own, form: new URLSearchParams({ ...own, ...proof, grant_type: 'authorization_code' }) };
  };

  /** The tokens of a new client, in which the caller is signed in. */
  const signedIn = async (caller: Caller) => {
    const { own, form } = await withCode(caller);
    const { body, text } = await call('POST /oauth/token', { body: form });
    const { access_token: token, refresh_token } = body;
    if (typeof token !== 'string' || typeof refresh_token !== 'string') throw new Error(`no tokens: ${text}`);
    const renewal = { ...own, grant_type: 'refresh_token', refresh_token };
    return {
      ...{ token, form: new URLSearchParams({ ...own, token }) },
      renewal: new URLSearchParams(renewal),
    };
  };

  /** What a new client sends to begin a sign-in on a device. */
  const deviceStart = async () => {
    const client = await newClient(app, { grantTypes: [DEVICE_GRANT] });
    const own = { client_id: client.id, client_secret: client.secret };
    return { own, form: new URLSearchParams({ ...own, scope: 'openid' }) };
  };

  /** The approval of a sign-in that a device has begun, and what the device sends for its tokens. */
  const approval = async (caller: Caller) => {
    const { own, form } = await deviceStart();
    const begun = await call('POST /oauth/device_authorization', { body: form });
    const { user_code: UserCode, device_code } = begun.body;
    const headers = ofPage(caller);
    const { body, text } = await call('POST /oauth/device', { headers, body: { UserCode } });
    if (body['Kind'] !== 'Ask') throw new Error(`no question: ${text}`);
    const answer = { UserCode, Answer: 'granted', ConsentTo: body['ConsentTo'] };
    const fields = { ...own, grant_type: DEVICE_GRANT, device_code: String(device_code) };
    return { sent: { headers, body: answer }, form: new URLSearchParams(fields) };
  };

  return {
    'GET /oauth/userinfo': async (caller) => ({
      headers: { authorization: `Bearer ${(await signedIn(caller)).token}` },
    }),
    'POST /oauth/userinfo': async (caller) => ({
      body: new URLSearchParams({ access_token: (await signedIn(caller)).token }),
    }),
    'POST /oauth/introspect': async (caller) => ({ body: (await signedIn(caller)).form }),
    'POST /oauth/revoke': async (caller) => ({ body: (await signedIn(caller)).form }),
    'POST /oauth/end-session': (caller) => ({
      headers: ofPage(caller),
      body: { Request: '', Confirmed: true },
    }),
    'POST /oauth/authorization': async (caller) => authorization(caller, await newClient(app)),
    'POST /oauth/device_authorization': async () => ({ body: (await deviceStart()).form }),
    'POST /oauth/device': async (caller) => (await approval(caller)).sent,
    'POST /oauth/token, for a device': async (caller) => {
      const { sent, form } = await approval(caller);
      await call('POST /oauth/device', sent);
      return { body: form };
    },
    'POST /oauth/token, with a code': async (caller) => ({ body: (await withCode(caller)).form }),
    'POST /oauth/token, to refresh': async (caller) => ({ body: (await signedIn(caller)).renewal }),
  };
}
