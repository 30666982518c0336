import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { duringEach, endings, eventually, msOf } from '@gatehouse/runtime/testing';
import { startTalker, type Heard } from '../testing/talker.ts';
import { createConnections, type Connections } from './connections.ts';

const STEP_MS = 200;
const CONNECTIONS_MAX = 3;
/** The time until the timeouts of connections alone would end a wait. */
const TIMEOUT_MS = 5000;

describe('createConnections', () => {
  const atEnd = endings();
  let connections: Connections;
  /** The subjects of the mails whose content has arrived. */
  let mails: string[];
  let forgotten: WeakSet<Socket>;
  /** What the server waits for before it replies to a command. */
  let beforeAnswer: (command: string, subject: string) => Promise<unknown> | undefined;
  const talk = async ({ command, content, socket }: Heard): Promise<undefined> => {
    if (forgotten.has(socket)) await new Promise(() => {});
    const subject = /^subject: (.*)$/im.exec(content)?.[1]?.trim() ?? '';
    if (command === '.') mails.push(subject);
    if (!/^(EHLO|QUIT|greeting)$/.test(command)) await beforeAnswer(command, subject);
    if (forgotten.has(socket)) await new Promise(() => {});
  };
  const server = duringEach(() => startTalker(talk));
  beforeEach(() => {
    [mails, forgotten, beforeAnswer] = [[], new WeakSet(), () => undefined];
    const { port } = server;
    connections = createConnections(
      { host: '127.0.0.1', port, maxConnections: CONNECTIONS_MAX, socketTimeout: TIMEOUT_MS },
      STEP_MS,
    );
    atEnd(() => connections.close());
  });
  const send = (subject: string, slot?: { acquire(): Promise<void>; release(): void }) =>
    connections.send(
      { from: 'us@example.com', to: 'ann@example.com', subject, text: 'hello' },
      { slot, signal: AbortSignal.timeout(2 * TIMEOUT_MS) },
    );
  const sendAll = (subjects: readonly string[]) => Promise.all(subjects.map((subject) => send(subject)));
  const inTime = async (work: Promise<unknown>) => assert.ok((await msOf(() => work)) < TIMEOUT_MS / 2);
  /** Opens all connections, and then ignores all of them. */
  const forgetAll = async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    beforeAnswer = () => gate;
    const first = sendAll(['a', 'b', 'c']);
    await eventually(() => server.sockets.size === CONNECTIONS_MAX);
    open();
    await first;
    beforeAnswer = () => undefined;
    for (const socket of server.sockets) forgotten.add(socket);
  };
  const wide = ['d', 'e', 'f', 'g', 'h', 'i'];

  it('reuses a connection for many mails', async () => {
    for (const subject of wide) await send(subject);
    assert.equal(server.count, 1);
  });

  it('sends mails in time, and once, when the server has dropped every connection', async () => {
    await forgetAll();
    await inTime(sendAll(wide));
    assert.deepEqual(mails.toSorted(), ['a', 'b', 'c', ...wide]);
  });

  it('does not resend mails whose content may have arrived, and sends waiting mails in time', async () => {
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => (answer = resolve));
    beforeAnswer = (_, subject) => (subject.startsWith('silent') ? silence : undefined);
    const subjects = ['silent 1', 'silent 2', 'silent 3'];
    const silent = sendAll(subjects);
    await eventually(() => mails.length === CONNECTIONS_MAX);
    await inTime(sendAll(wide));
    answer();
    await silent;
    assert.deepEqual(mails.toSorted(), [...wide, ...subjects]);
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
    beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, STEP_MS * 1.2));
    await sendAll(['a', 'b', 'c']);
    const { count } = server;
    await sendAll(wide);
    assert.equal(server.count, count);
    assert.deepEqual(mails.toSorted(), ['a', 'b', 'c', ...wide]);
  });

  it('never opens more than twice the maximum of connections to an unresponsive server', async () => {
    beforeAnswer = (command) => (command === '.' ? new Promise(() => {}) : undefined);
    const given = Promise.allSettled([...wide, ...wide].map((subject) => send(subject)));
    await eventually(() => mails.length === 2 * CONNECTIONS_MAX);
    await new Promise((resolve) => setTimeout(resolve, 4 * STEP_MS));
    assert.equal(server.sockets.size, 2 * CONNECTIONS_MAX);
    connections.close();
    for (const socket of server.sockets) socket.destroy();
    await given;
  });
});
