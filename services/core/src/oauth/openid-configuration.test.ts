import assert from 'node:assert/strict';
import { routes } from '../app.ts';
import { during, startCore } from '../testing/index.ts';

describe('the configuration of the OpenID Connect provider', () => {
  const core = during(() => startCore({}, undefined, { publicUrl: 'https://pages.gatehouse.test/' }));

  it('is the same at both addresses but for the keys, for pages of every origin', async () => {
    const { body, headers } = await core.http.get('/.well-known/openid-configuration').expect(200);
    assert.equal(headers['cache-control'], 'public, max-age=300');
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(body.issuer, core.app.settings.ISSUER);
    assert.equal(body.authorization_endpoint, 'https://pages.gatehouse.test/oauth/authorize');
    const both = { ...body, jwks_uri: `${core.app.settings.ISSUER}/.well-known/jwks.json` };
    await core.http.get('/.well-known/oauth-authorization-server').expect(200, both);
  });

  it('is of endpoints that pages of every origin may call where an app in a browser does', async () => {
    const open: string[] = [];
    for (const path of new Set(routes.map((route) => route.path))) {
      const { headers } = await core.http.options(path).set('origin', 'https://spa.example');
      if (headers['access-control-allow-origin'] === '*') open.push(path);
    }
    assert.deepEqual(open.toSorted(), [
      ...['jwks.json', 'oauth-authorization-server', 'openid-configuration'].map(
        (name) => `/.well-known/${name}`,
      ),
      ...['jwks.json', 'revoke', 'token', 'userinfo'].map((name) => `/oauth/${name}`),
    ]);
  });

  it('names only endpoints of Core that exist', async () => {
    const { body } = await core.http.get('/.well-known/openid-configuration').expect(200);
    const paths = new Set(routes.map(({ path }) => path));
    const named = Object.entries(body as Record<string, unknown>).filter(([name]) =>
      /_endpoint$|^jwks_uri$/.test(name),
    );
    const ofPages = ['authorization_endpoint', 'end_session_endpoint'];
    for (const [name, url] of named.filter(([one]) => !ofPages.includes(one))) {
      assert.ok(String(url).startsWith(core.app.settings.ISSUER), name);
      assert.ok(paths.has(new URL(String(url)).pathname), name);
    }
    assert.equal(named.length, 7);
  });
});
