import assert from 'node:assert/strict';
import { call, testGateway, type Seen, type TestGateway } from '../testing/index.ts';

const PATHS = {
  core: [
    '/account/login',
    '/account/ping',
    '/account/two-factor',
    '/account/handover/exchange',
    '/person',
    '/person/1/Automatch?limit=2',
    '/ping',
    '/ping?includeHeaders=true',
    '/.well-known/jwks.json',
  ],
  portal: ['/', '/account/profile', '/account/session/7'],
  nobody: [
    '/admin/account',
    '/auth/demo/login',
    '/metrics',
    '/health/ready',
    '/x/../openapi.json',
    '/%64ocs',
    '/docs/',
    '/public/openapi.json',
    '/account',
    '/account/anything',
    '/account/Profile',
    '/account/profile/',
    '/account/sessions',
    '/account//login',
    '/account/../person',
    '/account/%70rofile',
    '/pings',
    '//account/login',
    '/x/../account/login',
    '/%61ccount/login',
    '/ACCOUNT/login',
    '/.well-known/jwks.jsonx',
  ],
};

describe("the gateway's routes", () => {
  let gate: TestGateway;

  before(async () => {
    gate = await testGateway();
  });
  after(() => gate.stop());

  for (const [service, paths] of Object.entries(PATHS)) {
    for (const path of paths) {
      it(`routes ${path} to ${service}`, async () => {
        const { status, headers, body } = await call(gate.ports.gateway, path);
        assert.equal(headers['x-service'] ?? `${status}`, service === 'nobody' ? '404' : service);
        if (service !== 'nobody') assert.equal((JSON.parse(body) as Seen).url, path);
      });
    }
  }

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
    for (const port of [closed.ports.adminGateway, adminGateway]) {
      for (const path of ['/x/../docs', '/x/../docs/a.js', '/docs/a/b.js', '/docs/..', '/docs/%2e']) {
        assert.equal((await call(port, path)).status, 404, path);
      }
    }
    await closed.stop();
  });

  it('routes the paths of Admin at its own address only, and no others', async () => {
    for (const path of ['/admin/account', '/auth/demo/login?returnUrl=x', '/openapi.json']) {
      assert.equal((await call(gate.ports.adminGateway, path)).headers['x-service'], 'admin', path);
    }
    for (const path of [
      '//x',
      '/metrics',
      '/account/login',
      '/admin',
      '/admin/account/',
      '/x/../admin/mail',
    ]) {
      const { status, headers } = await call(gate.ports.adminGateway, path);
      assert.deepEqual([status, headers['x-service']], [404, undefined], path);
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
