import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eventually } from '@gatehouse/runtime/testing';
import { createConnections, type Connections } from './connections.ts';

const STEP_MS = 200;
const CONNECTIONS_MAX = 3;
/** The time until the timeouts of connections alone would end a wait. */
const TIMEOUT_MS = 5000;

/** A mail server that can ignore connections and delay its replies. */
interface Forgetful {
  port: number;
  /** The number of connections so far, and the open connections. */
  count: number;
  sockets: Set<Socket>;
  /** The subjects of the mails whose content has arrived. */
  mails: string[];
  forgotten: WeakSet<Socket>;
  /** Waits for this promise before it replies to `MAIL`, `RCPT`, `DATA` or `.`. */
  beforeAnswer: (command: string, subject: string) => Promise<unknown> | undefined;
  server: Server;
}

async function startForgetful(): Promise<Forgetful> {
  const self: Forgetful = {
    port: 0,
    count: 0,
    sockets: new Set(),
    mails: [],
    forgotten: new WeakSet(),
    beforeAnswer: () => undefined,
    server: createServer((socket) => {
      self.count += 1;
      self.sockets.add(socket);
      socket.on('close', () => self.sockets.delete(socket)).on('error', () => {});
      converse(socket, self);
    }),
  };
  await new Promise<void>((resolve) => self.server.listen(0, '127.0.0.1', resolve));
  self.port = (self.server.address() as AddressInfo).port; // the server listens on a port
  return self;
}

function converse(socket: Socket, self: Forgetful): void {
  let rest = '';
  let isContent = false;
  const say = (text: string): void => {
    if (!self.forgotten.has(socket) && !socket.destroyed) socket.write(`${text}\r\n`);
  };
  const take = async (part: string): Promise<void> => {
    const subject = isContent ? (/^subject: (.*)$/im.exec(part)?.[1]?.trim() ?? '') : '';
    const command = isContent ? '.' : part.slice(0, 4).toUpperCase();
    if (isContent) self.mails.push(subject);
    isContent = command === 'DATA';
    if (command !== 'EHLO' && command !== 'QUIT') await self.beforeAnswer(command, subject);
    say(isContent ? '354 go on' : '250 ok');
  };
  say('220 sink');
  socket.on('data', (bytes) => {
    if (self.forgotten.has(socket)) return;
    rest += bytes.toString();
    for (;;) {
      const mark = isContent ? '\r\n.\r\n' : '\r\n';
      const end = rest.indexOf(mark);
      if (end < 0) return;
      const part = rest.slice(0, end);
      rest = rest.slice(end + mark.length);
      void take(part);
    }
  });
}

describe('createConnections', () => {
  let server: Forgetful;
  let connections: Connections;
  beforeEach(async () => {
    server = await startForgetful();
    const { port } = server;
    connections = createConnections(
      { host: '127.0.0.1', port, maxConnections: CONNECTIONS_MAX, socketTimeout: TIMEOUT_MS },
      STEP_MS,
    );
  });
  afterEach(async () => {
    connections.close();
    for (const socket of server.sockets) socket.destroy();
    await new Promise((resolve) => server.server.close(resolve));
  });
  const send = (subject: string, slot?: { acquire(): Promise<void>; release(): void }) =>
    connections.send(
      { from: 'us@example.com', to: 'ann@example.com', subject, text: 'hello' },
      { slot, signal: AbortSignal.timeout(2 * TIMEOUT_MS) },
    );
  const sendAll = (subjects: readonly string[]) => Promise.all(subjects.map((subject) => send(subject)));
  const inTime = async (work: Promise<unknown>) => {
    const begun = performance.now();
    await work;
    assert.ok(performance.now() - begun < TIMEOUT_MS / 2);
  };
  /** Opens all connections, and then ignores all of them. */
  const forgetAll = async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    server.beforeAnswer = () => gate;
    const first = sendAll(['a', 'b', 'c']);
    await eventually(() => server.sockets.size === CONNECTIONS_MAX);
    open();
    await first;
    server.beforeAnswer = () => undefined;
    for (const socket of server.sockets) server.forgotten.add(socket);
  };
  const wide = ['d', 'e', 'f', 'g', 'h', 'i'];

  it('reuses a connection for many mails', async () => {
    for (const subject of wide) await send(subject);
    assert.equal(server.count, 1);
  });

  it('sends mails in time, and once, when the server has dropped every connection', async () => {
    await forgetAll();
    await inTime(sendAll(wide));
    assert.deepEqual(server.mails.toSorted(), ['a', 'b', 'c', ...wide]);
  });

  it('does not resend mails whose content may have arrived, and sends waiting mails in time', async () => {
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => (answer = resolve));
    server.beforeAnswer = (_, subject) => (subject.startsWith('silent') ? silence : undefined);
    const subjects = ['silent 1', 'silent 2', 'silent 3'];
    const silent = sendAll(subjects);
    await eventually(() => server.mails.length === CONNECTIONS_MAX);
    await inTime(sendAll(wide));
    answer();
    await silent;
    assert.deepEqual(server.mails.toSorted(), [...wide, ...subjects]);
  });

  it('releases the slot of a mail that moves, and requests it again', async () => {
    await forgetAll();
    const calls: string[] = [];
    await send('d', {
      acquire: async () => void calls.push('acquire'),
      release: () => void calls.push('release'),
    });
    assert.equal(calls.filter((call) => call === 'acquire').length, 1);
    assert.equal(calls.at(-1), 'release');
    assert.ok(calls.indexOf('release') < calls.indexOf('acquire'), calls.join());
  });

  it('tolerates a slow server, with its existing connections', async () => {
    server.beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, STEP_MS * 1.2));
    await sendAll(['a', 'b', 'c']);
    const { count } = server;
    await sendAll(wide);
    assert.equal(server.count, count);
    assert.deepEqual(server.mails.toSorted(), ['a', 'b', 'c', ...wide]);
  });

  it('never opens more than twice the maximum of connections to an unresponsive server', async () => {
    server.beforeAnswer = (command) => (command === '.' ? new Promise(() => {}) : undefined);
    const given = Promise.allSettled([...wide, ...wide].map((subject) => send(subject)));
    await eventually(() => server.mails.length === 2 * CONNECTIONS_MAX);
    await new Promise((resolve) => setTimeout(resolve, 4 * STEP_MS));
    assert.equal(server.sockets.size, 2 * CONNECTIONS_MAX);
    connections.close();
    for (const socket of server.sockets) socket.destroy();
    await given;
  });
});
