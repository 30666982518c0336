import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { call, testGateway, type Seen } from '../testing/index.ts';

/**
 * What is no path of an address: those of others, and other spellings of its own. Its paths are tested where the tables
 * of all paths are generated.
 */
const NOWHERE = [
  ['gateway', '/admin/account /auth/demo/login /metrics /health/ready /console /public/openapi.json /pings'],
  [
    'gateway',
    '/account /account/anything /account/Profile /account/profile/ /account/sessions /ACCOUNT/login',
  ],
  ['gateway', '/account//login /account/../person /account/%70rofile //account/login /x/../account/login'],
  ['gateway', '/%61ccount/login /.well-known/jwks.jsonx /x/../openapi.json /%64ocs /docs/ /login/ /Login'],
  ['gateway', '/profile/other /web /web/ /web/a/b /web/../login /%77eb/a.js //web/a.js'],
  ['adminGateway', '//x /metrics /account/login /admin /admin/account/ /x/../admin/mail /login /profile'],
  ['adminGateway', '/web/a/b /Console /console/ /console/a/b/c/d'],
] as const;

describe("the gateway's routes", () => {
  const gate = during(() => testGateway());

  const fetchGzip = (path: string) =>
    call(gate.ports.gateway, path, { headers: { 'Accept-Encoding': 'gzip', Via: '1.1 proxy' } });

  for (const [door, paths] of NOWHERE)
    it(`lead nowhere at ${door}: ${paths}`, async () => {
      for (const path of paths.split(' ')) {
        const { status, headers } = await call(gate.ports[door], path);
        assert.deepEqual([status, headers['x-service']], [404, undefined], path);
      }
    });

  it('passes parameters on unchanged', async () => {
    for (const path of ['/person/%2e%2e', '/person/./face', '/person/..%2fping', '/account/session/..']) {
      const { headers, body } = await call(gate.ports.gateway, path);
      assert.ok(headers['x-service'] !== undefined, path);
      assert.equal((JSON.parse(body) as Seen).url, path);
    }
  });

  it('serves the OpenAPI documents, Core and Portal merged, unless PUBLIC_DOCS is off', async () => {
    const closed = await testGateway({ settings: { PUBLIC_DOCS: 'off' } });
    const { gateway, adminGateway } = gate.ports;
    for (const path of ['/openapi.json', '/docs', '/docs?x', '/docs/scalar-1a5c.js']) {
      for (const [port, service, url] of [
        [gateway, 'core', path.startsWith('/docs/') ? path : `/public${path}`],
        [adminGateway, 'admin', path],
      ] as const) {
        const { headers, body } = await call(port, path);
        assert.deepEqual([headers['x-service'], (JSON.parse(body) as Seen).url], [service, url]);
      }
      for (const port of [closed.ports.gateway, closed.ports.adminGateway]) {
        const { status, headers } = await call(port, path);
        assert.deepEqual([status, headers['content-type']], [404, 'application/problem+json'], path);
      }
    }
    for (const port of [closed.ports.adminGateway, adminGateway])
      for (const path of ['/x/../docs', '/x/../docs/a.js', '/docs/a/b.js', '/docs/..', '/docs/%2e'])
        assert.equal((await call(port, path)).status, 404, path);
    await closed.stop();
  });

  it('shows a browser the page for unknown addresses, and clients the problem', async () => {
    for (const [port, service] of [
      [gate.ports.gateway, 'portal'],
      [gate.ports.adminGateway, 'admin'],
    ] as const) {
      const Accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
      const inBrowser = await call(port, '/openapi.json/..?x=1', { headers: { Accept } });
      assert.deepEqual([inBrowser.status, inBrowser.headers['x-service']], [404, service]);
      // Of the address nothing reaches the service.
      assert.equal((JSON.parse(inBrowser.body) as { url: string }).url, '/not-found');
      for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
        const { status, headers: answered, body } = await call(port, '/unknown?token=abc', { headers });
        const problem = JSON.parse(body) as Record<string, unknown>;
        assert.deepEqual([status, problem['status'], problem['code']], [404, 404, 'not_found']);
        assert.match(String(problem['traceId']), /^[0-9a-f]{32}$/);
        assert.equal(answered['content-type'], 'application/problem+json');
        assert.equal(answered['x-content-type-options'], 'nosniff');
        assert.match(String(answered['content-security-policy']), /^default-src 'none'/);
      }
    }
    await gate.stopService('portal');
    const { status, body } = await call(gate.ports.gateway, '/unknown', { headers: { Accept: 'text/html' } });
    assert.deepEqual([status, (JSON.parse(body) as { code: string }).code], [404, 'not_found']);
    await gate.startService('portal');
  });

  for (const [path, type] of [
    ['/web/a', 'text/css'],
    ['/web/a', 'text/javascript; charset=utf-8'],
    ['/web/a', 'image/svg+xml'],
    ['/docs/a.js', 'text/javascript; charset=utf-8'],
  ] as const)
    it(`compresses ${path} of type ${type}`, async () => {
      const { headers } = await fetchGzip(`${path}?type=${encodeURIComponent(type)}`);
      assert.deepEqual([headers['content-encoding'], headers['vary']], ['gzip', 'Accept-Encoding']);
    });

  it('does not compress responses that may contain a secret', async () => {
    const json = ['/web/a?type=application/json', '/web/a?type=application/problem%2Bjson'];
    const pages = ['/account/profile?type=application/json', '/account/profile?type=text/javascript'];
    const others = ['/person/..%2fweb%2fa?type=application/json', '/docs?type=text/html'];
    for (const path of [...json, ...pages, '/login?type=text/html', ...others]) {
      const { status, headers } = await fetchGzip(path);
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], path);
    }
  });

  it('says what is wrong with a path that it does not know', async () => {
    for (const [path, told] of [
      ['/admin/account?x', /the Admin API has an address of its own \(ADMIN_URL\)$/],
      ['/api/account/login', /paths have no prefix such as \/api$/],
      ['/administrators', /^No endpoint at this path$/],
    ] as const) {
      const { status, body } = await call(gate.ports.gateway, path);
      const { code, detail }: { code?: string; detail?: string } = JSON.parse(body);
      assert.deepEqual([status, code], [404, 'not_found'], path);
      assert.match(detail ?? '', told);
    }
  });
});
