import assert from 'node:assert/strict';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@gatehouse/http';
import { exchangeRaw } from '@gatehouse/http/testing';
import { during, endings, eventually, testFolder } from '@gatehouse/runtime/testing';
import { freePorts } from '../stack/ports.ts';
import { configureGateway, render } from './gateway.ts';
import { call, testGateway, type Answer, type Seen } from '../testing/index.ts';

describe('the configuration of the gateway', () => {
  const directory = testFolder();
  const atEnd = endings();

  it('is replaced as a whole, so that nginx never reads half of it', async () => {
    const options = { binary: 'nginx', directory, ports: await freePorts(), scale: 2 };
    const { path: home } = configureGateway(options).home;
    const files = ['nginx.conf', 'public-paths.conf', 'admin-paths.conf'];
    const open = files.map((name) => openSync(join(home, name), 'r'));
    atEnd(() => open.forEach((file) => closeSync(file)));
    const before = files.map((name) => readFileSync(join(home, name), 'utf8'));
    configureGateway({ ...options, without: ['core'] });
    const now = open.map((file) => readFileSync(file, 'utf8'));
    assert.deepEqual(now, before);
    assert.notEqual(readFileSync(join(home, 'nginx.conf'), 'utf8'), before[0]);
    assert.deepEqual(readdirSync(home).toSorted(), files.toSorted());
  });
});

const CHUNKED = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n';

describe('gateway', () => {
  const gate = during(() => testGateway());

  it('replaces X-Forwarded-For of clients, and passes on host and trace', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { body } = await call(gate.ports.gateway, '/ping', {
      headers: {
        'X-Forwarded-For': '203.0.113.7',
        Host: 'gate.example',
        traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      },
    });
    const { headers } = JSON.parse(body) as Seen;
    assert.deepEqual([headers['x-forwarded-for'], headers['host']], ['127.0.0.1', 'gate.example']);
    assert.match(String(headers['traceparent']), new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  });

  it('accepts bodies up to 128 KiB, and imports without limit', async () => {
    const post = (port: number, path: string, bytes: number): Promise<Answer> =>
      call(port, path, { method: 'POST', body: 'x'.repeat(bytes) });
    assert.equal((await post(gate.ports.gateway, '/account/login', 130_000)).headers['x-service'], 'core');
    const tooLarge = await post(gate.ports.gateway, '/account/login', 132_000);
    assert.deepEqual([tooLarge.status, tooLarge.headers['content-type']], [413, 'application/problem+json']);
    const imported = await post(gate.ports.adminGateway, '/admin/account/import', 3_000_000);
    assert.equal((JSON.parse(imported.body) as Seen).bytes, 3_000_000);
  });

  it('answers malformed requests and endless headers with a problem', async () => {
    const hostless = await exchangeRaw(gate.ports.gateway, 'GET /ping HTTP/1.1\r\n\r\n');
    assert.match(hostless, /^HTTP\/1\.1 400 [^]*"code":"invalid_request"/);
    for (const [bytes, status] of [
      [8000, 200],
      [8200, 431],
      [40_000, 431],
    ] as const) {
      const long = await call(gate.ports.gateway, '/ping', { headers: { 'X-Long': 'x'.repeat(bytes) } });
      assert.equal(long.status, status, `${bytes}`);
    }
  });

  for (const [what, status, text] of [
    ['a broken escape', 400, 'GET /% HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a garbage request line', 400, '\x16\x03\x01\r\n\r\n'],
    ['CONNECT', 400, 'CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['TRACE', 405, 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['an unknown transfer coding', 400, 'POST /ping HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n'],
    ['an endless address', 414, `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['two hosts', 400, 'GET /nowhere HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n'],
    ['a length beside a transfer coding', 400, `${CHUNKED}Content-Length: 3\r\n\r\n0\r\n\r\n`],
    ['a broken chunk for an unknown path', 400, `${CHUNKED}\r\nZZ\r\nx\r\n0\r\n\r\n`],
    ['an unknown version', 400, 'GET / HTTP/7.0\r\nHost: x\r\n\r\n'],
  ] as const)
    it(`answers ${what} with a problem`, async () => {
      for (const port of [gate.ports.gateway, gate.ports.adminGateway]) {
        const [head = '', body = ''] = (await exchangeRaw(port, text)).split('\r\n\r\n');
        assert.match(head, new RegExp(`^HTTP/1.1 ${status} [^]*Content-Type: application/problem\\+json`));
        const problem = JSON.parse(body) as { status: number; code: string; title: string };
        const declared = Object.entries(ERRORS).find(([code]) => code === problem.code)?.[1];
        assert.deepEqual(declared, { status, title: problem.title });
        assert.equal(problem.status, status);
        assert.equal(/^Allow: /m.test(head), status === 405);
      }
    });

  it('passes on every valid header name', async () => {
    const { body } = await call(gate.ports.gateway, '/ping', {
      headers: { X_Forwarded_For: '203.0.113.7', 'X.A': '1', "x-!#$%&'*+.^_`|~": '2', If_Match: '"1"' },
    });
    const { headers } = JSON.parse(body) as Seen;
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    const names = ['x_forwarded_for', 'x.a', "x-!#$%&'*+.^_`|~", 'if_match'];
    const values = names.map((name) => headers[name]);
    assert.deepEqual(values, ['203.0.113.7', '1', '2', '"1"']);
  });

  it('does not support HTTP/0.9', async () => {
    for (const port of [gate.ports.gateway, gate.ports.adminGateway]) {
      assert.equal(await exchangeRaw(port, 'GET /ping\r\n'), '');
      assert.equal(await exchangeRaw(port, 'GET /nowhere\r\n'), '');
    }
  });

  it('adds the Host header that HTTP/1.0 may lack', async () => {
    const answer = await exchangeRaw(gate.ports.gateway, 'GET /ping HTTP/1.0\r\n\r\n');
    assert.match(answer, new RegExp(`"host":"127.0.0.1:${gate.ports.gateway}"`));
  });

  it('responds within 5 s when a service hangs, but does not cut off imports', async () => {
    const started = Date.now();
    const within = async (port: number, path: string): Promise<[number, number]> => {
      const { status } = await call(port, path, { method: 'POST' });
      return [status, Date.now() - started];
    };
    const [hanging, admin, importing] = await Promise.all([
      within(gate.ports.gateway, '/account/login?after=6000'),
      within(gate.ports.adminGateway, '/admin/account?after=6000'),
      within(gate.ports.adminGateway, '/admin/account/import?after=5500'),
    ]);
    for (const [status, milliseconds] of [hanging, admin]) {
      assert.equal(status, 503);
      assert.ok(milliseconds > 4_700 && milliseconds < 5_300, `${milliseconds} ms`);
    }
    assert.equal(importing[0], 200);
  });

  it('logs paths as JSON, without query strings', async () => {
    await call(gate.ports.gateway, '/unheard-of"?token=very-secret');
    const log = await eventually(() => {
      const text = readFileSync(gate.log, 'utf8');
      return text.includes('/unheard-of') && text;
    });
    assert.doesNotMatch(log, /very-secret/);
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const found = lines.find((line) => line['path'] === '/unheard-of"');
    assert.deepEqual([found?.['service'], found?.['status']], ['gateway', 404]);
  });

  it('answers a body of any size for any path of a dead service with a problem', async () => {
    for (const name of ['core', 'portal', 'admin'] as const) await gate.stopService(name);
    const sizes = [0, 100_000, 200_000, 1_000_000];
    for (const [port, file] of [
      [gate.ports.gateway, 'public-paths.conf'],
      [gate.ports.adminGateway, 'admin-paths.conf'],
    ] as const) {
      const table = readFileSync(join(gate.home, file), 'utf8');
      const pathOf = (pattern = '') => pattern.replaceAll('[^/?]+', 'x').replaceAll('\\', '');
      const routes = [...table.matchAll(/^"~\^(.+)\(\\\?\|\$\)"/gm)].map(([, pattern]) => pathOf(pattern));
      assert.ok(routes.length > 50);
      const send = async (path: string, bytes: number, kind: string): Promise<void> => {
        const { status, headers, body } = await call(port, path, {
          method: kind === 'page' ? 'GET' : 'POST',
          headers: { Accept: 'text/html', ...(kind !== 'sized' && { 'Transfer-Encoding': 'chunked' }) },
          body: 'x'.repeat(bytes),
        });
        const what = `${kind} ${bytes} ${path}: ${status}`;
        assert.equal(headers['content-type'], 'application/problem+json', what);
        assert.equal((JSON.parse(body) as { status: number }).status, status, what);
        const isTooLarge = bytes > 131_072 && path !== '/admin/account/import';
        const expected = path === '/nowhere' ? 404 : 503;
        assert.ok(status === expected || (isTooLarge && status === 413), what);
        assert.equal(headers['retry-after'], status === 503 ? '2' : undefined, what);
      };
      for (const path of [...routes, '/nowhere']) {
        const kinds = ['sized', 'chunked', 'page'];
        await Promise.all(sizes.flatMap((bytes) => kinds.map((kind) => send(path, bytes, kind))));
      }
    }
    for (const name of ['core', 'portal', 'admin'] as const) await gate.startService(name);
  });

  it('runs in a folder with any name', async () => {
    const odd = await testGateway({ folder: 'a clöne "of"; {mine} \\ $1' });
    const sent = { method: 'POST', body: 'x'.repeat(100_000) };
    const { status, body } = await call(odd.ports.gateway, '/account/login', sent);
    assert.deepEqual([status, (JSON.parse(body) as Seen).bytes], [200, 100_000]);
    await odd.stop();
  });

  it('refuses a template with an undefined variable', () => {
    assert.equal(render('a ${ONE} $host', { ONE: '1' }), 'a 1 $host');
    assert.throws(() => render('${TWO}', {}), /TWO/);
  });
});
