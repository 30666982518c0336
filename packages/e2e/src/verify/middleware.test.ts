import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { eventually } from '@gatehouse/runtime/testing';
import { gatehouse, type Caller, type Verifier } from 'gatehouse-verify';
import { during } from '../testing/during.ts';
import { startInstallation } from './installation.ts';

type Middleware = ReturnType<typeof gatehouse>;
type Handler = (request: { caller?: Caller }, response: { json(body: unknown): void }) => void;

/** Apps install Express themselves; here it is taken from `packages/http`. */
const express = createRequire(new URL('../../../http/package.json', import.meta.url))('express') as () => {
  get(path: string, ...handlers: (Middleware | Handler)[]): void;
  listen(port: number, host: string): Server;
};

describe('the middleware of gatehouse-verify', function () {
  this.timeout(30_000);
  const at = during(() => startInstallation());
  let verifier: Verifier;
  let server: Server;
  let url: string;
  before(async () => {
    verifier = at.verifier({ feed: { token: at.feed } });
    await eventually(() => verifier.isFresh);
    const app = express();
    const answer: Handler = (request, response) => response.json({ Role: request.caller?.role });
    app.get('/things', gatehouse(verifier), answer);
    app.get('/admin', gatehouse(verifier, { roles: ['Admin'] }), answer);
    server = app.listen(0, '127.0.0.1');
    await eventually(() => server.listening);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.close();
  });

  const get = async (path: string, token?: string) => {
    const response = await fetch(
      url + path,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };

  it('passes valid callers with their identity', async () => {
    const { Token } = await at.newSession();
    const { status, body } = await get('/things', Token);
    assert.deepEqual([status, body], [200, { Role: 'User' }]);
  });

  it('responds with 401, the code, and WWW-Authenticate', async () => {
    const { status, headers, body } = await get('/things');
    assert.deepEqual([status, body['code']], [401, 'token_missing']);
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="gatehouse"');
    assert.equal(headers.get('content-type'), 'application/problem+json');
    const { Token, sessionId } = await at.newSession();
    await at.end(sessionId);
    await eventually(async () => (await get('/things', Token)).body['code'] === 'session_deactivated');
  });

  it('responds with 403 to other roles', async () => {
    const { Token } = await at.newSession();
    const { status, body } = await get('/admin', Token);
    assert.deepEqual([status, body['code']], [403, 'forbidden']);
    const admin = await at.fixtures.login(await at.fixtures.newAccount({ role: 'Admin' }));
    assert.equal((await get('/admin', admin.Token)).status, 200);
  });

  it('responds with 503 if it cannot verify, which logs nobody out', async () => {
    const { Token } = await at.newSession();
    const away = at.verifier({ ask: true }, { fetch: () => Promise.reject(new Error('away')) });
    const plain = createServer((request, response) => {
      gatehouse(away)(request, response, () => response.end());
    });
    plain.listen(0, '127.0.0.1');
    await eventually(() => plain.listening);
    const response = await fetch(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/`, {
      headers: { authorization: `Bearer ${Token}` },
    });
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '2']);
    plain.close();
  });
});
