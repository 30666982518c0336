import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Caller } from '@gatehouse/auth-core';
import { eventually, msOf } from '@gatehouse/runtime/testing';
import { eventStream } from '../media-type.ts';
import { defineSubjects } from '../route.ts';
import { fakeAuth, openEvents, startApi } from '../testing/index.ts';
import { USER } from '../testing/served-routes.ts';
import { StreamWriter } from './streams.ts';

const HEAD = { authorization: 'Bearer user' };

describe('a stream', () => {
  /** The ends that handlers write to, and those that were closed. */
  let outlets: StreamWriter[];
  let closed: number;
  let api: Awaited<ReturnType<typeof startApi<object>>>;
  const callers: Parameters<typeof fakeAuth>[0] = {};

  const route = defineSubjects<object>()({})('GET /events', {
    summary: 'Streams',
    access: 'bearer',
    response: eventStream(),
    handler: () => {
      const writer = new StreamWriter(() => (closed += 1), 10_000_000);
      outlets.push(writer);
      writer.put(': hello\n\n');
      return writer;
    },
  });
  beforeEach(async () => {
    [outlets, closed] = [[], 0];
    callers['user'] = USER;
    api = await startApi({ routes: [route], deps: {}, auth: fakeAuth(callers), streamsMax: 7 });
  });
  afterEach(() => api.stop());

  const open = (headers: Record<string, string> = HEAD) => openEvents(`${api.url}/events`, headers);
  const isCounted = (count: number) =>
    eventually(async () =>
      (await api.metrics.metrics()).includes(`gatehouse_streams_open{service="test"} ${count}`),
    );

  it('drops the headers of its request, which may stay open for hours', async () => {
    const requests: IncomingMessage[] = [];
    api.api.server.on('request', (message: IncomingMessage) => requests.push(message));
    await open();
    assert.deepEqual([requests[0]?.rawHeaders, requests[0]?.headers], [[], {}]);
  });

  it('sends data at once, with headers against caching and buffering', async () => {
    const stream = await open();
    assert.deepEqual([stream.status, stream.headers['content-type']], [200, 'text/event-stream']);
    assert.equal(stream.headers['cache-control'], 'no-store');
    assert.equal(stream.headers['x-accel-buffering'], 'no');
    await eventually(() => stream.comments === 1);
    outlets[0]?.put('event: a\ndata: {"A":1}\n\n');
    await eventually(() => stream.events.length === 1);
    assert.deepEqual(stream.events[0]?.data, { A: 1 });
    outlets[0]?.end();
    await eventually(() => stream.isOver);
    await isCounted(0);
  });

  it('frees its resources when the client disconnects', async () => {
    const stream = await open();
    await isCounted(1);
    stream.close();
    await eventually(() => closed === 1);
    await isCounted(0);
  });

  it('frees its resources when the client of several requests disconnects', async () => {
    const socket = connect(api.port, '127.0.0.1');
    const request = 'GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer user\r\n\r\n';
    // The second one waits for the first, which does not end.
    socket.write(request + request);
    await isCounted(2);
    socket.destroy();
    await eventually(() => closed === 2);
    await isCounted(0);
  });

  it('is limited to five per session, and per process', async () => {
    const own = await Promise.all(Array.from({ length: 5 }, () => open()));
    const sixth = await open();
    assert.deepEqual([sixth.status, sixth.headers['retry-after']], [429, '30']);
    assert.equal(outlets.length, 5, 'its handler was not called');
    const other: Caller = { ...USER, sessionId: 's-2' } as Caller; // another session of the same kind
    callers['other'] = other;
    const theirs = () => open({ authorization: 'Bearer other' });
    const statuses = (await Promise.all([theirs(), theirs(), theirs()])).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 429).length, 1, String(statuses));
    own[0]?.close();
    await isCounted(6);
    assert.equal((await open()).status, 200);
  });

  it('is limited to a hundred per account, in any number of sessions', async () => {
    await api.stop();
    api = await startApi({ routes: [route], deps: {}, auth: fakeAuth(callers), streamsMax: 1000 });
    const openIn = (sessionId: string, accountId = 'a-1') => {
      callers[sessionId] = { ...USER, accountId, sessionId } as Caller; // a session of the same kind
      return open({ authorization: `Bearer ${sessionId}` });
    };
    const streams = await Promise.all(Array.from({ length: 100 }, (_, n) => openIn(`s-${n % 25}`)));
    assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]));
    const beyond = await openIn('s-26');
    assert.deepEqual([beyond.status, beyond.headers['retry-after']], [429, '30']);
    await eventually(() => beyond.isOver);
    assert.match(beyond.text, /of this account/);
    assert.equal((await openIn('s-27', 'a-2')).status, 200, 'other accounts have theirs');
    streams[0]?.close();
    await isCounted(100);
    assert.equal((await openIn('s-26')).status, 200);
  });

  it('ends when the process stops, with a random retry time for each client', async () => {
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => open()));
    const ms = await msOf(() => api.api.close());
    assert.ok(ms < 2000, 'it does not wait for clients to leave');
    await eventually(() => streams.every(({ isOver }) => isOver));
    const times = streams.map(({ retry }) => retry ?? 0);
    const isInRange = times.every((time) => time >= 1000 && time <= 10_000);
    assert.ok(isInRange && new Set(times).size > 1, String(times));
    assert.equal(closed, 5);
  });

  it('responds to HEAD with headers only', async () => {
    await api.http.head('/events').set(HEAD).expect(200).expect('content-type', 'text/event-stream');
    await eventually(() => closed === 1);
  });

  it('applies backpressure', async () => {
    const socket = connect(api.port, '127.0.0.1');
    socket.write(`GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer user\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    const writer = await eventually(() => outlets[0]);
    const piece = `: ${'x'.repeat(100_000)}\n\n`;
    let isHeld = false;
    for (let n = 0; n < 200 && !isHeld; n += 1) {
      writer.put(piece);
      await new Promise((resolve) => setImmediate(resolve));
      isHeld = writer.waiting.length > piece.length;
    }
    assert.ok(isHeld, 'Node would hold it in its own memory');
    for (let n = 0; n < 200 && writer.isOpen; n += 1) writer.put(piece);
    assert.equal(closed, 1, 'a client for which too much waits is cut off');
    socket.destroy();
  });

  it('refuses callers without access, as other routes do', async () => {
    callers['user'] = { caller: USER, refused: 'session_replaced' };
    const stream = await open();
    await eventually(() => stream.isOver);
    assert.equal(stream.status, 401);
    assert.match(stream.text, /session_replaced/);
    await isCounted(0);
  });
});
