import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { createCors } from './cors.ts';
import { fakeAuth, startApi } from '../testing/index.ts';

describe('CORS', () => {
  const corsOrigins = 'https://app.example.com, http://localhost:3000';
  const server = during(() => startApi({ routes: [], deps: {}, auth: fakeAuth({}), corsOrigins }));

  it('lets browsers of the listed origins call and read', async () => {
    const preflight = await server.http
      .options('/openapi.json')
      .set('Origin', 'https://app.example.com')
      .set('Access-Control-Request-Method', 'GET');
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], 'https://app.example.com');
    assert.equal(preflight.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
    assert.equal(preflight.headers['access-control-allow-headers'], 'Authorization, Content-Type, If-Match');
    for (const path of ['/openapi.json', '/nothing']) {
      const answer = await server.http.get(path).set('Origin', 'http://localhost:3000');
      assert.equal(answer.headers['access-control-allow-origin'], 'http://localhost:3000');
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      assert.equal(answer.headers['vary'], 'Origin');
    }
  });

  it('sends no headers to any other origin, however similar', async () => {
    const own = 'https://app.example.com';
    const others = [`${own}.evil.example`, `${own}:443`, `${own}/`, 'http://app.example.com', '*', ''];
    for (const origin of [...others, 'https://APP.example.com']) {
      for (const method of ['get', 'options'] as const) {
        const { headers } = await server.http[method]('/openapi.json').set('Origin', origin);
        assert.equal(headers['access-control-allow-origin'], undefined, origin);
        assert.equal(headers['access-control-allow-methods'], undefined, origin);
        assert.equal(headers['vary'], 'Origin');
      }
    }
  });

  it('lets every port of this machine call, if it is listed so, and of no other', () => {
    const cors = createCors('http://localhost:*');
    assert.ok(cors.answer('http://localhost:5173').includes('http://localhost:5173'));
    const named = 'http://localhost';
    for (const origin of [named, `${named}:*`, 'https://localhost:5173', `${named}:5173.evil.example`])
      assert.deepEqual(cors.answer(origin), ['Vary', 'Origin'], origin);
  });

  it('refuses wildcards and invalid origins', () => {
    const ports = ['https://localhost:*', 'http://app.example.com:*'];
    for (const list of ['*', ...ports, 'a.example', 'https://a.example/', 'null'])
      assert.throws(() => createCors(list), /CORS_ORIGINS/, list);
  });
});
