import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { Type } from '@gatehouse/schema';
import { duringEach, eventually, msOf } from '@gatehouse/runtime/testing';
import { defineSubjects } from '../route.ts';
import { fakeAuth, exchangeRaw, startApi } from '../testing/index.ts';
import { USER } from '../testing/served-routes.ts';

/** A client on another thread: it sends a request, says so, and reports the answer or the error. */
const SENDS = `
const { parentPort, workerData: { port, sent } } = require('node:worker_threads');
const socket = require('node:net').connect(port, '127.0.0.1', () => {
  socket.write('GET /hello HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
});
socket.on('data', (bytes) => parentPort.postMessage(String(bytes)));
socket.on('error', (error) => parentPort.postMessage(String(error)));
`;

const open = { summary: 'For tests', access: 'public' } as const;

/** An API whose `/wait` responds when the test allows it. */
async function startWaiting(more: { drainSeconds?: number } = {}) {
  const waiting: (() => void)[] = [];
  const route = defineSubjects<object>()({});
  const routes = [
    route('GET /wait', {
      ...open,
      response: Type.Literal('waited'),
      handler: () => new Promise<'waited'>((resolve) => waiting.push(() => resolve('waited'))),
    }),
    route('GET /hello', { ...open, response: Type.Literal('hello'), handler: () => 'hello' as const }),
  ];
  return { waiting, ...(await startApi({ routes, deps: {}, auth: fakeAuth({}), ...more })) };
}

describe('createApi', () => {
  // Before it stops, as it waits for them.
  afterEach(() => server.waiting.forEach((release) => release()));
  const server = duringEach(() => startWaiting());

  it('answers pipelined requests in their order', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const answer = exchangeRaw(server.port, get('/wait') + get('/hello') + get('/nothing'));
    await eventually(() => server.waiting.length === 1);
    server.waiting[0]?.();
    assert.match(await answer, /200 OK[^]*\r\n\r\nwaited[^]*200 OK[^]*\r\n\r\nhello[^]*404 Not Found/);
  });

  it('refuses malformed HTTP, and headers beyond 16 KiB, with a problem', async () => {
    const long = `GET /hello HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    const huge = await exchangeRaw(server.port, long);
    assert.match(huge, /^HTTP\/1.1 431 [^]*application\/problem\+json[^]*"code":"headers_too_large"/);
    for (const bytes of [
      '\u0000\u0001',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /hello HTTP/1.1\r\n\r\n',
      'GET /hello HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\n\r\n',
    ]) {
      const answer = await exchangeRaw(server.port, bytes);
      assert.match(answer, /^HTTP\/1.1 (400|505) /, JSON.stringify(bytes));
      assert.match(answer, /"code":"invalid_request","traceId":"[0-9a-f]{32}"}$/, JSON.stringify(bytes));
    }
    assert.equal((await server.http.get('/hello')).status, 200);
  });

  it('finishes requests in progress when it stops, and closes idle connections', async () => {
    const idle = connect(server.port, '127.0.0.1');
    await once(idle, 'connect');
    const answer = exchangeRaw(server.port, 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => server.waiting.length === 1);
    const stopped = server.stop();
    await eventually(() => !server.api.server.listening);
    server.waiting[0]?.();
    assert.match(await answer, /200 OK[^]*Connection: close[^]*waited/);
    await stopped;
    await eventually(() => idle.destroyed || idle.readableEnded || idle.read() === null);
    idle.destroy();
  });

  it('keeps serving while it drains, and closes connections after the response', async () => {
    const draining = await startWaiting({ drainSeconds: 0.3 });
    const begun = performance.now();
    const stopped = draining.stop();
    const answer = await exchangeRaw(draining.port, 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
    assert.match(answer, /200 OK[^]*Connection: close[^]*hello/);
    await stopped;
    assert.ok(performance.now() - begun >= 290, `${performance.now() - begun} ms`);
    await assert.rejects(fetch(`${draining.url}/hello`));
  });

  it('answers requests that arrived just before it stops listening', async () => {
    const draining = await startWaiting({ drainSeconds: 0.05 });
    const sent = new Int32Array(new SharedArrayBuffer(4));
    const client = new Worker(SENDS, { eval: true, workerData: { port: draining.port, sent } });
    await once(client, 'online');
    const stopped = draining.stop();
    // The service is busy, as under load, until after the end of the drain.
    Atomics.wait(sent, 0, 0, 5000);
    const dueAt = performance.now() + 100;
    while (performance.now() < dueAt);
    const [answer] = (await once(client, 'message')) as [string];
    assert.match(answer, /200 OK/);
    await stopped;
  });

  for (const kind of ['accepted', 'kept alive'])
    it(`answers requests that arrive on connections that were ${kind}, after it stops listening`, async () => {
      const client = connect(server.port, '127.0.0.1');
      await once(server.api.server, 'connection');
      if (kind === 'kept alive') {
        client.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(client, 'data');
      }
      const stopped = server.stop();
      await eventually(() => !server.api.server.listening);
      client.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
      await eventually(() => server.waiting.length === 1);
      server.waiting[0]?.();
      const [answer] = (await once(client, 'data')) as [Buffer];
      assert.match(String(answer), /200 OK[^]*Connection: close/);
      await stopped;
    });

  it('survives a client that disconnects early', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => server.waiting.length === 1);
    socket.destroy();
    server.waiting[0]?.();
    assert.equal((await server.http.get('/hello')).status, 200);
  });
});

describe('the request log', () => {
  it('has one line per request, with the route instead of the URL', async () => {
    const route = defineSubjects<object>()({})('GET /thing/:id', {
      summary: 'A thing',
      access: 'bearer',
      params: { id: Type.String() },
      response: Type.Object({}),
      handler: ({ request, params }) => {
        request.addToLog({ thingId: params.id });
        return {};
      },
    });
    const auth = fakeAuth({ user: USER });
    const server = await startApi({ routes: [route], deps: {}, auth });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const answer = await server.http
      .get('/thing/7')
      .set('Authorization', 'Bearer user')
      .set('traceparent', `00-${traceId}-00f067aa0ba902b7-01`);
    assert.equal(answer.headers['x-trace-id'], traceId);
    const other = await server.http.get('/thing/canary?secret=canary').set('traceparent', '00-xyz');
    assert.match(other.body.traceId, /^[0-9a-f]{32}$/);
    server.log.flush();
    const lines = server.log.lines.map(({ ms, at, level, service, message, ...facts }) => facts);
    const standing = { method: 'GET', route: '/thing/:id', address: '127.0.0.1' };
    assert.deepEqual(lines, [
      { ...standing, status: 200, traceId, accountId: 'a-1', sessionId: 's-1', thingId: '7' },
      { ...standing, status: 401, traceId: other.body.traceId, problem: 'token_missing' },
    ]);
    assert.doesNotMatch(JSON.stringify(server.log.lines), /canary/);
    const figures = await server.metrics.metrics();
    assert.match(figures, /seconds_count\{[^}]*method="GET",route="\/thing\/:id",status="401"\} 1/);
    await server.stop();
  });
});

describe('the deadline of a response', () => {
  it('responds with 503 within five seconds when a handler hangs', async () => {
    const route = defineSubjects<object>()({});
    const stuck = route('GET /stuck', {
      ...open,
      response: Type.Object({}),
      handler: () => new Promise<never>(() => undefined),
    });
    const late = route('GET /late', {
      ...open,
      response: Type.Object({}),
      handler: () => new Promise<object>((resolve) => setTimeout(resolve, 4900, {})),
    });
    const { http, stop, log } = await startApi({ routes: [stuck, late], deps: {}, auth: fakeAuth({}) });
    const asked = Promise.all([http.get('/stuck'), http.get('/late')]);
    assert.ok((await msOf(() => asked)) < 5000);
    for (const { status, body, headers } of await asked) {
      assert.deepEqual([status, body.code], [503, 'unavailable']);
      assert.ok(headers['retry-after']);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    await stop();
    const faults = log.lines.filter(({ level }) => level === 'error');
    assert.deepEqual(faults, []);
  });
});
