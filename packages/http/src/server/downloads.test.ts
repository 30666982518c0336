import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from '@gatehouse/schema';
import { eventually } from '@gatehouse/runtime/testing';
import { defineSubjects } from '../route.ts';
import { fakeAuth, startApi } from '../testing/index.ts';
import type { Pace } from './downloads.ts';

/** More than the kernel buffers for a client that does not read. */
const LARGE = 'x'.repeat(16_000_000);
const SUBJECTS = ['1', '2', '3', '4'];

describe('streamed downloads', () => {
  let api: Awaited<ReturnType<typeof startApi<object>>>;
  let sockets: Socket[];
  let held: (() => void)[];

  const about = {
    summary: 'Downloads',
    access: 'public',
    response: Type.String(),
    params: { subject: Type.String() },
    rules: { isDownload: true },
  } as const;
  const route = defineSubjects<object>()({});
  const routes = [
    route('GET /large/:subject', { ...about, handler: () => LARGE }),
    route('GET /held/:subject', {
      ...about,
      handler: () => new Promise<string>((resolve) => held.push(() => resolve('small'))),
    }),
    route('GET /broken/:subject', { ...about, handler: () => Promise.reject(new Error('no')) }),
  ];
  const start = async (downloadPace: Partial<Pace> = {}): Promise<void> => {
    [sockets, held] = [[], []];
    api = await startApi({ routes, deps: {}, auth: fakeAuth({}), downloadPace });
  };
  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    await api.stop();
  });

  const stall = async (subject: string): Promise<Socket> => {
    const socket = connect({ port: api.port, host: '127.0.0.1' });
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET /large/${subject} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  };
  const get = async (kind: 'large' | 'held' | 'broken', subject: string) => {
    const answer = await fetch(`${api.url}/${kind}/${subject}`);
    const text = await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), size: text.length };
  };

  it('are refused while another one of the same subject is in progress', async () => {
    await start();
    const first = get('held', '1');
    await eventually(() => held.length === 1);
    const { status, retryAfter } = await get('held', '1');
    assert.deepEqual([status, retryAfter, held.length], [429, '5', 1]);
    held[0]?.();
    assert.equal((await first).status, 200);
    assert.deepEqual(await get('large', '1'), { status: 200, retryAfter: null, size: LARGE.length });
  });

  it('release their slot on failure', async () => {
    await start();
    for (let turn = 0; turn < 2; turn += 1) assert.equal((await get('broken', '1')).status, 500);
  });

  it('keep their slot while the client does not read, until they are cut off', async () => {
    await start({ sendMs: 500 });
    const socket = await stall('1');
    assert.equal((await get('large', '1')).status, 429);
    await eventually(async () => (await get('large', '1')).status === 200);
    let bytes = 0;
    socket.on('data', (chunk) => (bytes += chunk.length)).on('error', () => undefined);
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    assert.ok(bytes < LARGE.length, `${bytes} bytes`);
  });

  it('are cut off soon when their clients stop reading, so that others get their slots', async () => {
    await start({ stallMs: 300 });
    const stalled = await Promise.all(SUBJECTS.map(stall));
    assert.equal((await get('large', '5')).status, 429);
    await eventually(async () => (await get('large', '5')).status === 200, 5);
    // A stalled client that starts to read before it was cut off would get the rest of its download.
    for (const subject of SUBJECTS)
      await eventually(async () => (await get('large', subject)).status === 200, 5);
    for (const socket of stalled) {
      const closed = once(socket, 'close');
      socket.on('error', () => undefined).resume();
      await closed;
    }
  });

  it('go on as long as their clients read', async () => {
    await start({ stallMs: 1000, bytesMin: 1 });
    const socket = await stall('1');
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    await eventually(() => bytes > LARGE.length, 10);
  });

  it('release their slot when a client that sent another request first disconnects', async () => {
    await start();
    // Two places for the downloads themselves, two for requests that wait behind them.
    for (const subject of SUBJECTS.slice(0, 2)) {
      const socket = connect({ port: api.port, host: '127.0.0.1' });
      sockets.push(socket);
      const paths = [`held/first${subject}`, `large/${subject}`];
      const requests = paths.map((path) => `GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      socket.write(requests.join(''));
      await once(socket, 'connect');
    }
    await eventually(async () => (await get('large', '5')).status === 429);
    sockets.forEach((socket) => socket.destroy());
    await eventually(async () => (await get('large', '5')).status === 200);
  });

  it('are limited per process, and end when the client disconnects', async () => {
    await start();
    for (const subject of SUBJECTS) await stall(subject);
    const { status, retryAfter } = await get('large', '5');
    assert.deepEqual([status, retryAfter], [429, '5']);
    sockets[0]?.destroy();
    await eventually(async () => (await get('large', '5')).status === 200);
  });
});
