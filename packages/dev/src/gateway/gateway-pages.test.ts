import assert from 'node:assert/strict';
import { PAGE_PATHS } from '@gatehouse/schema';
import { call, testGateway, type TestGateway } from '../testing/index.ts';

describe('the gateway before account pages', () => {
  let gate: TestGateway;
  before(async () => {
    gate = await testGateway();
  });
  after(() => gate.stop());

  const fetchGzip = (path: string) =>
    call(gate.ports.gateway, path, { headers: { 'Accept-Encoding': 'gzip', Via: '1.1 proxy' } });

  it('routes pages and their files to Portal', async () => {
    for (const path of [...Object.values(PAGE_PATHS), '/web/pages-1a2B_c.js', '/login?locale=de']) {
      assert.equal((await call(gate.ports.gateway, path)).headers['x-service'], 'portal', path);
    }
  });

  it('routes the console and its files to Admin, and its person requests to Core', async () => {
    for (const path of [
      '/console',
      '/console/accounts?role=Admin',
      '/console/accounts/1/sessions',
      '/web/a.js',
    ]) {
      assert.equal((await call(gate.ports.adminGateway, path)).headers['x-service'], 'admin', path);
    }
    for (const path of ['/person', '/person/1/face/2']) {
      assert.equal((await call(gate.ports.adminGateway, path)).headers['x-service'], 'core', path);
    }
    assert.equal((await call(gate.ports.gateway, '/console')).status, 404);
  });

  it('accepts no other spelling, and none at Admin’s address', async () => {
    for (const path of [
      '/login/',
      '/Login',
      '/profile/other',
      '/web',
      '/web/',
      '/web/a/b',
      '/web/../login',
      '/%77eb/a.js',
      '//web/a.js',
    ]) {
      assert.equal((await call(gate.ports.gateway, path)).status, 404, path);
    }
    for (const path of ['/login', '/profile', '/web/a/b', '/Console', '/console/', '/console/a/b/c/d']) {
      assert.equal((await call(gate.ports.adminGateway, path)).status, 404, path);
    }
  });

  it('shows a browser the page for unknown addresses, and clients the problem', async () => {
    for (const [port, service] of [
      [gate.ports.gateway, 'portal'],
      [gate.ports.adminGateway, 'admin'],
    ] as const) {
      const inBrowser = await call(port, '/openapi.json/..?x=1', {
        headers: { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
      });
      assert.deepEqual([inBrowser.status, inBrowser.headers['x-service']], [404, service]);
      // Of the address nothing reaches the service.
      assert.equal((JSON.parse(inBrowser.body) as { url: string }).url, '/not-found');
      for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
        const { status, body } = await call(port, '/unknown', { headers });
        assert.deepEqual([status, (JSON.parse(body) as { code: string }).code], [404, 'not_found']);
      }
    }
    await gate.stopService('portal');
    const { status, body } = await call(gate.ports.gateway, '/unknown', { headers: { Accept: 'text/html' } });
    assert.deepEqual([status, (JSON.parse(body) as { code: string }).code], [404, 'not_found']);
    await gate.startService('portal');
  });

  for (const type of ['text/css', 'text/javascript; charset=utf-8', 'image/svg+xml']) {
    it(`compresses their files of type ${type}`, async () => {
      const { headers } = await fetchGzip(`/web/a?type=${encodeURIComponent(type)}`);
      assert.deepEqual([headers['content-encoding'], headers['vary']], ['gzip', 'Accept-Encoding']);
    });
  }

  it('compresses the script of the APIs’ reference', async () => {
    const { headers } = await fetchGzip(
      `/docs/a.js?type=${encodeURIComponent('text/javascript; charset=utf-8')}`,
    );
    assert.deepEqual([headers['content-encoding'], headers['vary']], ['gzip', 'Accept-Encoding']);
  });

  it('does not compress responses that may contain a secret', async () => {
    for (const path of [
      '/web/a?type=application/json',
      '/web/a?type=application/problem%2Bjson',
      '/account/profile?type=application/json',
      '/account/profile?type=text/javascript',
      '/login?type=text/html',
      '/person/..%2fweb%2fa?type=application/json',
      '/docs?type=text/html',
    ]) {
      const { status, headers } = await fetchGzip(path);
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], path);
    }
  });
});
