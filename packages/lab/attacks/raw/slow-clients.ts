import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { eventually } from '@gatehouse/runtime/testing';
import { median } from '../../bench/compare.ts';
import type { Target } from '../target.ts';
import { listenersOf, type Listener } from './raw-requests.ts';

const HEAD = 'POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/**
 * What slow clients send first and then every second, and in how many they are disconnected. The limits are 10 s for
 * headers and 30 s for a body; a service checks every two seconds, and the machine is busy.
 */
const KINDS = {
  headers: { begin: 'GET /ping HTTP/1.1\r\nHost: x\r\nX-Slow: ', byte: 'a', seconds: [9, 17] },
  silence: { begin: 'GET /ping HTTP/1.1\r\nHos', byte: '', seconds: [9, 17] },
  body: { begin: `${HEAD}Content-Length: 1000\r\n\r\n{`, byte: ' ', seconds: [28, 36] },
  chunks: {
    begin: `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    byte: '1\r\n \r\n',
    seconds: [28, 36],
  },
} as const;

const OF_EACH = 30;
const CUT_SECONDS = 45;
/** The maximum median of other requests; not of all, because other tests use the machine as well. */
const PING_MS = 100;

interface Slow {
  listener: string;
  kind: keyof typeof KINDS;
  socket: Socket;
  openedAt: number;
  closedAt: number | undefined;
  answer: string;
}

/** Hundreds of slow clients on every listener. They continue while other tests run. */
export function slowClients(target: Target) {
  let opened: Slow[] = [];
  let timer: NodeJS.Timeout | undefined;
  before(() => {
    // Both sides of the gateway are one process.
    const listeners = listenersOf(target).filter(({ name }) => name !== 'gateway of Admin');
    const kinds = Object.keys(KINDS) as Slow['kind'][]; // its own keys
    opened = listeners.flatMap((listener) =>
      kinds.flatMap((kind) => Array.from({ length: OF_EACH }, () => openOne(listener, kind))),
    );
    timer = setInterval(() => {
      for (const { socket, kind, closedAt } of opened)
        if (closedAt === undefined && KINDS[kind].byte !== '') socket.write(KINDS[kind].byte);
    }, 1000);
  });

  const keepNobodyWaiting = (): void => {
    it('that send one byte per second do not delay others', async () => {
      const { email } = await target.newPerson();
      const { Token } = await target.logIn(email);
      const times: number[] = [];
      for (let time = 0; time < 60; time += 1) {
        const { status, ms } = await target.to('core', { method: 'GET', path: '/ping' });
        assert.equal(status, 200);
        const begun = performance.now();
        assert.equal((await target.post('/account/ping', {}, Token)).body['PingStatus'], 1);
        times.push(ms, performance.now() - begun);
      }
      assert.ok(median(times) < PING_MS, times.join());
      assert.ok(Math.max(...times) < 5000, times.join());
      // No client was disconnected early to make room for others.
      const early = opened.filter((one) => one.closedAt !== undefined && secondsOf(one) < 5);
      assert.deepEqual(early.map(summaryOf), []);
    });
  };

  const areCutOff = (): void => {
    it('are disconnected after the timeout', async () => {
      await eventually(() => opened.every(({ closedAt }) => closedAt !== undefined), CUT_SECONDS);
      const wrong = opened.filter((one) => {
        const [least, most] = KINDS[one.kind].seconds;
        return secondsOf(one) < least || secondsOf(one) > most || !/^(?:HTTP\/1\.1 408 |$)/.test(one.answer);
      });
      assert.deepEqual(wrong.map(summaryOf), []);
      for (const { listener, kind } of opened) {
        const answer = opened.some(
          (one) => one.listener === listener && one.kind === kind && one.answer !== '',
        );
        assert.ok(
          answer || listener === 'gateway',
          `${listener} tells nobody why a connection with slow ${kind} ends`,
        );
      }
    });
    after(() => {
      clearInterval(timer);
      for (const { socket } of opened) socket.destroy();
    });
  };

  return { keepNobodyWaiting, areCutOff };
}

function openOne({ name: listener, port, path }: Listener, kind: Slow['kind']): Slow {
  const socket = connect(port, '127.0.0.1');
  const one: Slow = { listener, kind, socket, openedAt: performance.now(), closedAt: undefined, answer: '' };
  const end = (): void => void (one.closedAt ??= performance.now());
  socket.on('data', (bytes: Buffer) => (one.answer += bytes.toString('latin1')));
  socket.on('error', end).on('end', end).on('close', end);
  socket.write(KINDS[kind].begin.replace('{path}', path));
  return one;
}

function secondsOf({ openedAt, closedAt = Infinity }: Slow): number {
  return (closedAt - openedAt) / 1000;
}

function summaryOf(one: Slow): string {
  return `${one.kind} at ${one.listener} after ${secondsOf(one).toFixed(1)} s: ${one.answer.slice(0, 80)}`;
}
