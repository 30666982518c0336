import { createHash, randomBytes } from 'node:crypto';
import { newClient, REDIRECT_URI } from '@gatehouse/accounts/testing';
import { DEVICE_GRANT } from '@gatehouse/schema';
import type { Services } from '../services.ts';
import type { Caller, Parts, Prepared } from './prepared.ts';

/** Requests about applications. */
export function oauthRequests(services: Services): Prepared {
  const { app } = services;

  /** The headers of a call of a page in a browser in which the caller is signed in. */
  const ofPage = ({ id: accountId, sessionId }: Pick<Caller, 'id' | 'sessionId'>) => {
    const value = app.browser.sessions.issue('pages', { accountId, sessionId });
    return { cookie: `__Host-gatehouse=${value}`, 'sec-fetch-site': 'same-origin' };
  };

  /** The call of the page for a browser in which the caller is signed in. */
  const authorization = (
    { id: accountId, sessionId }: Caller,
    { id: client_id }: { id: string },
    verifier: string,
  ): Parts & { headers: Record<string, string> } => {
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = new URLSearchParams({
      ...{ client_id, redirect_uri: REDIRECT_URI, response_type: 'code' },
      ...{ scope: 'openid offline_access', code_challenge, code_challenge_method: 'S256' },
    });
    return { headers: ofPage({ id: accountId, sessionId }), body: { Request: query.toString() } };
  };

  /** What a client sends for a code of the caller. */
  const withCode = async (caller: Caller) => {
    const client = await newClient(app);
    const code_verifier = randomBytes(32).toString('base64url');
    const sent = {
      method: 'POST',
      path: '/oauth/authorization',
      ...authorization(caller, client, code_verifier),
    };
    const { body, text } = await services.send('Core', sent);
    if (body['Kind'] !== 'Redirect') throw new Error(`no code: ${text}`);
    const code = new URL(String(body['Location'])).searchParams.get('code') ?? '';
    const own = { client_id: client.id, client_secret: client.secret };
    const fields = { grant_type: 'authorization_code', code, code_verifier, redirect_uri: REDIRECT_URI };
    return { own, form: new URLSearchParams({ ...own, ...fields }).toString() };
  };

  /** The tokens of a new client, in which the caller is signed in. */
  const signedIn = async (caller: Caller) => {
    const { own, form } = await withCode(caller);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { method: 'POST', path: '/oauth/token', headers, body: form };
    const { body, text } = await services.send('Core', sent);
    const { access_token: token, refresh_token } = body;
    if (typeof token !== 'string' || typeof refresh_token !== 'string') throw new Error(`no tokens: ${text}`);
    const renewal = { ...own, grant_type: 'refresh_token', refresh_token };
    return {
      ...{ token, form: new URLSearchParams({ ...own, token }).toString() },
      renewal: new URLSearchParams(renewal).toString(),
    };
  };

  /** What a new client sends to begin a sign-in on a device. */
  const deviceStart = async () => {
    const client = await newClient(app, { grantTypes: [DEVICE_GRANT] });
    const own = { client_id: client.id, client_secret: client.secret };
    return { own, form: new URLSearchParams({ ...own, scope: 'openid' }).toString() };
  };

  /** The approval of a sign-in that a device has begun, and what the device sends for its tokens. */
  const approval = async (caller: Caller) => {
    const { own, form } = await deviceStart();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const start = { method: 'POST', path: '/oauth/device_authorization', headers: type, body: form };
    const { user_code: UserCode, device_code } = (await services.send('Core', start)).body;
    const sent = { method: 'POST', path: '/oauth/device', headers: ofPage(caller) };
    const { body, text } = await services.send('Core', { ...sent, body: { UserCode } });
    if (body['Kind'] !== 'Ask') throw new Error(`no question: ${text}`);
    const answer = { UserCode, Answer: 'granted', ConsentTo: body['ConsentTo'] };
    const fields = { ...own, grant_type: DEVICE_GRANT, device_code: String(device_code) };
    return { sent: { ...sent, body: answer }, form: new URLSearchParams(fields).toString() };
  };

  return {
    'GET /oauth/userinfo': async (caller) => ({
      headers: { authorization: `Bearer ${(await signedIn(caller)).token}` },
    }),
    'POST /oauth/userinfo': async (caller) => ({
      body: new URLSearchParams({ access_token: (await signedIn(caller)).token }).toString(),
    }),
    'POST /oauth/introspect': async (caller) => ({ body: (await signedIn(caller)).form }),
    'POST /oauth/revoke': async (caller) => ({ body: (await signedIn(caller)).form }),
    'POST /oauth/end-session': (caller) => ({
      headers: ofPage(caller),
      body: { Request: '', Confirmed: true },
    }),
    'POST /oauth/authorization': async (caller) =>
      authorization(caller, await newClient(app), randomBytes(32).toString('base64url')),
    'POST /oauth/device_authorization': async () => ({ body: (await deviceStart()).form }),
    'POST /oauth/device': async (caller) => (await approval(caller)).sent,
    'POST /oauth/token, for a device': async (caller) => {
      const { sent, form } = await approval(caller);
      await services.send('Core', sent);
      return { body: form };
    },
    'POST /oauth/token, with a code': async (caller) => ({ body: (await withCode(caller)).form }),
    'POST /oauth/token, to refresh': async (caller) => ({ body: (await signedIn(caller)).renewal }),
  };
}
