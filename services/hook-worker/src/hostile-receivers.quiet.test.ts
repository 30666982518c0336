import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { newEvent } from '@gatehouse/events';
import { createEgressRules, lookUpName } from '@gatehouse/runtime';
import { eventually, startNameServer, type NameAnswer } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { createCall } from './call/call.ts';
import { startHookRig, type HookRig } from './testing/index.ts';

const NEVER = new Promise<NameAnswer>(() => {});

/** Receivers whose name server is what is wrong. */
const NAMES: Record<string, (query: Buffer) => NameAnswer | Promise<NameAnswer>> = {
  'silent-1': () => NEVER,
  'silent-2': () => NEVER,
  'silent-3': () => NEVER,
  'silent-4': () => NEVER,
  late: () => new Promise((resolve) => setTimeout(() => resolve(['127.0.0.1']), 3000).unref()),
  inner: () => ['10.0.0.1', '169.254.169.254'],
  many: () => Array.from({ length: 60 }, () => '127.0.0.1'),
  nowhere: () => ['127.0.0.99'],
  truncating: (query) => flagged(query, 0x8380),
  failing: (query) => flagged(query, 0x8182),
  lying: (query) => flagged(Buffer.concat([Buffer.from([0, 0]), query.subarray(2)]), 0x8180),
  garbage: (query) => Buffer.concat([query.subarray(0, 2), Buffer.alloc(1200, 0xff)]),
};

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** Receivers by what they do with a connection. */
const CONNECTIONS: Record<string, (socket: Socket) => void> = {
  'never answers': () => {},
  'stops in its header': (socket) => socket.write(`${HEAD}X: `),
  'stops after its header': (socket) => socket.write(`${HEAD}Content-Length: 9\r\n\r\n`),
  'sends a byte a second': (socket) => {
    const text = `${HEAD}${'X: y\r\n'.repeat(99)}`;
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 1000);
    socket.on('close', () => clearInterval(timer));
  },
  'answers 103 without end': (socket) => endless(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  'answers 100 without end': (socket) => endless(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'has a header without end': (socket) => endless(socket, 'X: y\r\n', HEAD),
  'has one field without end': (socket) => endless(socket, 'x'.repeat(999), `${HEAD}X: `),
  'has a body without end': (socket) => endless(socket, 'x'.repeat(9999), `${HEAD}\r\n`),
  'has chunks of a byte without end': (socket) => endless(socket, '1\r\nx\r\n', CHUNKED),
  'has an extension without end': (socket) => endless(socket, ';a=b', `${CHUNKED}1`),
  'has many extensions': (socket) => endless(socket, `1;${'a'.repeat(9999)}\r\nx\r\n`, CHUNKED),
  'has trailers without end': (socket) => endless(socket, 'X: y\r\n', `${CHUNKED}0\r\n`),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'closes it': (socket) => socket.end(),
  'speaks no HTTP': (socket) => socket.write('SSH-2.0-x\r\n'),
  'switches to another protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  'redirects to itself': (socket) => socket.write('HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n'),
  'is busy for ever': (socket) => socket.write('HTTP/1.1 503 Busy\r\nRetry-After: 999999999\r\n\r\n'),
  'never finishes TLS': () => {},
  'sends TLS without end': (socket) => endless(socket, Buffer.from('16030300020000', 'hex')),
};

const EVENTS = 100;

describe('the hook worker beside hostile receivers of every kind', function () {
  this.timeout(120_000);
  let rig: HookRig;
  const closing: (() => unknown)[] = [];
  beforeEach(async () => {
    rig = await startHookRig();
  });
  afterEach(async () => {
    await rig.close();
    for (const close of closing.splice(0)) await close();
  });

  const startHostile = async (): Promise<string[]> => {
    const urls = Object.keys(NAMES).map((name) => `https://${name}.example.com/`);
    for (const [what, act] of Object.entries(CONNECTIONS)) {
      const server = createServer((socket) => {
        socket.on('error', () => {}).once('data', () => act(socket));
      });
      const port = await listen(server, closing);
      urls.push(`${what.includes('TLS') ? 'https' : 'http'}://127.0.0.1:${port}/`);
    }
    return urls;
  };

  it('delivers to a healthy one within a second, 99 times of 100', async () => {
    const names = await startNameServer((name, query) => NAMES[name.split('.')[0] ?? '']?.(query) ?? NEVER);
    closing.push(() => names.close());
    await rig.startWorker({
      call: createCall({
        rules: createEgressRules('127.0.0.1'),
        lookUp: (name) => lookUpName(name, undefined, { servers: [names.address] }),
      }),
    });
    for (const url of await startHostile()) await rig.newWebhook({ url, types: ['guest.registered'] });
    await rig.newWebhook({
      url: rig.receiver.url.replace('127.0.0.1', 'localhost'),
      types: ['account.registered'],
    });
    const times: number[] = [];
    for (let count = 0; count < EVENTS; count += 1) {
      if (count % 6 === 0) await rig.publish(newEvent('guest.registered', { UserId: uuid() }));
      const startedAt = performance.now();
      const event = await rig.publish();
      await eventually(
        () => rig.receiver.received.some(({ headers }) => headers['webhook-id'] === event.id),
        30,
      );
      times.push(performance.now() - startedAt);
    }
    const slowest = times.toSorted((one, other) => other - one);
    assert.ok(Number(slowest[1]) < 1000, `${slowest.slice(0, 5).map(Math.round).join(', ')} ms`);
  });
});

async function listen(server: Server, closing: (() => unknown)[]): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Writes for as long as the other side reads. */
function endless(socket: Socket, text: string | Buffer, begin = ''): void {
  const part = Buffer.alloc(8192, text);
  socket.write(begin);
  const more = (): void => {
    if (!socket.destroyed) socket.write(part, () => setTimeout(more, 2));
  };
  more();
}

/** The query as an answer without addresses and with these flags. */
function flagged(query: Buffer, flags: number): Buffer {
  const answer = Buffer.from(query);
  answer.writeUInt16BE(flags, 2);
  return answer;
}
