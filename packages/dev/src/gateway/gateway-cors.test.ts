import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { createCors } from '@gatehouse/http/testing';
import { during, fieldsOf } from '@gatehouse/runtime/testing';
import { call, testGateway } from '../testing/index.ts';

const ORIGIN = 'https://app.example.com';
const LIST = `${ORIGIN}, http://localhost:3000, http://127.0.0.1:*`;
const OTHERS = [
  ...['https://app.example.com.evil.example', 'https://evil.example', 'http://app.example.com'],
  ...['https://APP.example.com', 'https://app.example.com:443', 'https://app.example.com/'],
  ...[`${ORIGIN}, http://localhost:3000`, `${ORIGIN} ${ORIGIN}`, 'https://evil.example https://evil.example'],
  ...['https://evil.example ,https://evil.example', 'http://localhost:5173 http://localhost:*'],
  ...['ttps://app.example.com', 'https://app.example.co', 'https://.pp.example.com', 'http://localhost:300'],
  ...['http://127.0.0.1:*', 'http://127.0.0.1', 'https://127.0.0.1:5173'],
  ...['http://127.0.0.1:5173.evil.example', 'null', '*', ',', ''],
];

describe('responses of the gateway itself to other origins', () => {
  const gate = during(() => testGateway({ settings: { CORS_ORIGINS: LIST } }));

  const problems = (origin: string) => {
    const ask = (port: number, path: string, more: Parameters<typeof call>[2] = {}) =>
      call(port, path, { ...more, headers: { Origin: origin, ...more.headers } });
    const { gateway, adminGateway } = gate.ports;
    return Promise.all([
      ask(gateway, '/nowhere'),
      ask(gateway, '/ping', { headers: { Host: 'no host' } }),
      ask(gateway, '/account/login', { method: 'POST', body: 'x'.repeat(1_100_000) }),
      ask(gateway, '/ping', { headers: { 'X-Long': 'x'.repeat(40_000) } }),
      ask(adminGateway, '/admin/account', { method: 'POST', body: 'x'.repeat(1_100_000) }),
      ask(adminGateway, '/x', { method: 'TRACE' }),
      ask(gateway, '/ping?break', { method: 'POST' }),
      ask(adminGateway, '/admin/account?break', { method: 'POST' }),
    ]);
  };
  const STATUSES = [404, 400, 413, 431, 413, 405, 503, 503];

  it('have the same CORS headers as those of the services for listed origins', async () => {
    for (const origin of [ORIGIN, 'http://localhost:3000', 'http://127.0.0.1:5173']) {
      const answers = await problems(origin);
      assert.deepEqual(fieldsOf(answers, 'status'), STATUSES);
      for (const { status, headers } of answers)
        assert.deepEqual(corsOf(headers), pairs(createCors(LIST).answer(origin)), `${status}`);
    }
  });

  it('send no headers to any other origin, however similar', async () => {
    for (const origin of OTHERS)
      for (const { status, headers } of await problems(origin))
        assert.deepEqual(corsOf(headers), { vary: 'Origin' }, `${status} ${origin}`);
  });

  it('answer preflight requests of listed origins for any path and while every service is down', async () => {
    const preflight = (port: number, path: string, origin = ORIGIN) => {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
      return call(port, path, { method: 'OPTIONS', headers });
    };
    const { answer, preflight: allowed } = createCors(LIST);
    const methods = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
    const expected = pairs([...answer(ORIGIN), ...allowed(ORIGIN, methods)]);
    for (const service of ['core', 'admin'] as const) await gate.stopService(service);
    for (const [port, path] of [
      [gate.ports.gateway, '/nowhere'],
      [gate.ports.gateway, '/account/login'],
      [gate.ports.adminGateway, '/admin/account'],
      [gate.ports.adminGateway, '/admin/account/import'],
    ] as const) {
      const own = await preflight(port, path);
      assert.deepEqual([own.status, corsOf(own.headers)], [204, expected], path);
      const foreign = await preflight(port, path, 'https://evil.example');
      assert.deepEqual(corsOf(foreign.headers), { vary: 'Origin' });
    }
    for (const service of ['core', 'admin'] as const) await gate.startService(service);
    const headers = { Origin: ORIGIN };
    const options = await call(gate.ports.gateway, '/ping', { method: 'OPTIONS', headers });
    assert.equal(options.headers['x-service'], 'core', 'OPTIONS that is no preflight');
  });

  it('send no CORS headers if no origin is listed', async () => {
    const closed = await testGateway();
    const { headers } = await call(closed.ports.gateway, '/nowhere', { headers: { Origin: ORIGIN } });
    assert.deepEqual(corsOf(headers), {});
    await closed.stop();
  });
});

function corsOf(headers: IncomingHttpHeaders): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}

function pairs(list: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(
    list.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), list[at + 1]]] : [])),
  );
}
