import assert from 'node:assert/strict';
import { provide, quiet } from '@gatehouse/dev';
import { during, endings, eventually } from '@gatehouse/runtime/testing';
import { startApache } from './apache.ts';
import { authlib } from './authlib.ts';
import { modAuthOpenidc } from './mod-auth-openidc.ts';
import { openidClient } from './openid-client.ts';
import { startProvider, type Provider, type Registration } from './provider.ts';
import { itSignsPeopleIn } from './signs-people-in.ts';

describe('an application of Debian', () => {
  before(async function () {
    this.timeout(300_000);
    await provide(quiet, ['apache']);
  });
  const provider = during(() => startProvider());
  const atEnd = endings();

  describe('with mod_auth_openidc', () => {
    itSignsPeopleIn(modAuthOpenidc, true, provider);
  });

  describe('with Authlib', () => {
    itSignsPeopleIn(authlib, false, provider);
  });

  // https://github.com/OpenIDC/mod_oauth2, which Apache protects an API with by introspection.
  it('with mod_oauth2 lets the token of a session in until the session has ended', async () => {
    let registered: Registration | undefined;
    const register: Provider['register'] = async (...given) =>
      (registered = await provider.register(...given));
    const client = await openidClient({ ...provider, register });
    const { clientId, clientSecret } = registered ?? assert.fail();
    const options = `introspect.auth=client_secret_basic&client_id=${clientId}&client_secret=${clientSecret}&expiry=1`;
    const api = await startApache('oauth2', () => [
      '<Location /app>',
      'AuthType oauth2',
      `OAuth2TokenVerify introspect ${provider.issuer}/oauth/introspect ${options}`,
      'Require valid-user',
      '</Location>',
    ]);
    atEnd(() => api.stop());
    atEnd(() => client.stop());
    const { sessionId } = await client.signIn(await provider.newBrowser());
    const token = client.accessToken?.() ?? assert.fail();
    const call = async (authorization: string) =>
      (await fetch(`${api.origin}/app/page.txt`, { headers: { authorization } })).status;
    assert.deepEqual([await call(`Bearer ${token}`), await call('Bearer a.b.c')], [200, 401]);
    await provider.endSession(sessionId);
    await eventually(async () => (await call(`Bearer ${token}`)) === 401);
  });
});
