import { DEVICE_GRANT } from '@gatehouse/schema';
import { newPkce, SAME_ORIGIN } from '../../../../../services/core/src/oauth/testing.ts';
import type { Services } from '../services.ts';
import type { Caller, Prepared } from './prepared.ts';

export function oauthRequests({ app, call, core }: Services): Prepared {
  const ofPage = ({ id: accountId, sessionId }: Caller) => {
    const value = app.browser.sessions.issue('pages', { accountId, sessionId });
    return { ...SAME_ORIGIN, cookie: `__Host-gatehouse=${value}` };
  };

  const newApp = async (fields: Parameters<typeof core.newClient>[0] = {}) => {
    const client = await core.newClient(fields);
    return { client, own: { client_id: client.id, client_secret: client.secret } };
  };

  const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields) });

  const signedIn = async (caller: Caller) => {
    const { client, own } = await newApp();
    const { access_token: token, refresh_token } = await core.open(client, ofPage(caller));
    return { own, token, refresh_token };
  };

  const aboutToken = async (caller: Caller) => {
    const { own, token } = await signedIn(caller);
    return form({ ...own, token });
  };

  const deviceStart = async () => {
    const { own } = await newApp({ grantTypes: [DEVICE_GRANT] });
    return { own, start: form({ ...own, scope: 'openid' }) };
  };

  /** The approval of a sign-in that a device has begun, and what the device sends for its tokens. */
  const approval = async (caller: Caller) => {
    const { own, start } = await deviceStart();
    const begun = await call('POST /oauth/device_authorization', start);
    const { user_code: UserCode, device_code } = begun.body;
    const headers = ofPage(caller);
    const { body, text } = await call('POST /oauth/device', { headers, body: { UserCode } });
    if (body['Kind'] !== 'Ask') throw new Error(`no question: ${text}`);
    const answer = { UserCode, Answer: 'granted', ConsentTo: body['ConsentTo'] };
    const fields = { ...own, grant_type: DEVICE_GRANT, device_code: String(device_code) };
    return { sent: { headers, body: answer }, ofDevice: form(fields) };
  };

  return {
    'GET /oauth/userinfo': async (caller) => ({
      headers: { authorization: `Bearer ${(await signedIn(caller)).token}` },
    }),
    'POST /oauth/userinfo': async (caller) => form({ access_token: (await signedIn(caller)).token }),
    'POST /oauth/introspect': aboutToken,
    'POST /oauth/revoke': aboutToken,
    'POST /oauth/end-session': (caller) => ({
      headers: ofPage(caller),
      body: { Request: '', Confirmed: true },
    }),
    'POST /oauth/authorization': async (caller) => {
      const { client } = await newApp();
      const Request = new URLSearchParams(core.requestOf(client, newPkce().asked)).toString();
      return { headers: ofPage(caller), body: { Request } };
    },
    'POST /oauth/device_authorization': async () => (await deviceStart()).start,
    'POST /oauth/device': async (caller) => (await approval(caller)).sent,
    'POST /oauth/token, for a device': async (caller) => {
      const { sent, ofDevice } = await approval(caller);
      await call('POST /oauth/device', sent);
      return ofDevice;
    },
    'POST /oauth/token, with a code': async (caller) => {
      const { client, own } = await newApp();
      return form({ ...own, ...(await core.newCode(client, ofPage(caller))) });
    },
    'POST /oauth/token, to refresh': async (caller) => {
      const { own, refresh_token } = await signedIn(caller);
      return form({ ...own, grant_type: 'refresh_token', refresh_token });
    },
  };
}
