import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export function ask(url: string, { method, path, headers = {}, body }: Asked, signal: AbortSignal) {
  return fetch(url + path, { method, headers, signal, ...(body !== undefined && { body }) });
}

/** A server under load, with the requests that are sent to it. */
export interface Target {
  name: string;
  url: string;
  /** Distributed over the connections. Each connection sends its share repeatedly. */
  requests: Asked[];
  /** Returns the request that replaces one that got this answer. Without it the same request is repeated. */
  next?: (answer: string) => Asked;
  /** CPU seconds that the server's process has used since its start. */
  cpuSeconds: () => Promise<number>;
}

export interface Round {
  requestsPerSecond: number;
  cpuMicrosecondsPerRequest: number;
  /** Percentiles of the time from sending a request to receiving its whole answer. */
  p50Milliseconds: number;
  p99Milliseconds: number;
}

export interface Pace {
  connections?: number;
  /** Without it as many as the server answers. The latency of a late request counts from when it was due. */
  perSecond?: number;
}

const CONNECTIONS = 32;
const GOOD = Buffer.from('HTTP/1.1 200 ');

/**
 * Loads the server from this process for this many seconds, with one request at a time on each connection. It uses
 * sockets and prepared bytes instead of an HTTP client: the generator shares the machine with the server, so its own
 * cost would look like slowness of the server, the more so the faster the server is.
 *
 * @throws {Error} for every answer other than 200: a server that refuses requests is fast.
 */
export async function load(
  target: Target,
  seconds: number,
  signal: AbortSignal,
  { connections = CONNECTIONS, perSecond }: Pace = {},
): Promise<Round> {
  signal.throwIfAborted();
  const { hostname, port } = new URL(target.url);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(hostname, Number(port))));
  const cpuBefore = await target.cpuSeconds();
  const began = performance.now();
  const until = began + seconds * 1000;
  const latencies: number[] = [];
  const messages = target.requests.map((asked) => encode(asked, `${hostname}:${port}`));
  const renew = (at: number, answer: Buffer): void => {
    if (target.next === undefined) return;
    target.requests[at] = target.next(answer.toString());
    messages[at] = encode(target.requests[at], `${hostname}:${port}`);
  };
  const gapMilliseconds = perSecond === undefined ? 0 : (connections * 1000) / perSecond;
  const shared = { messages, renew, until, gapMilliseconds, latencies, signal };
  const runs = sockets.map((socket, index) => {
    const share = [...messages.keys()].filter((at) => at % connections === index % messages.length);
    const firstAt = began + (gapMilliseconds * index) / connections;
    return sendRepeatedly(socket, share, { ...shared, firstAt });
  });
  try {
    await Promise.race([Promise.all(runs), tooLate(target.name, seconds)]);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  signal.throwIfAborted();
  const took = (performance.now() - began) / 1000;
  const cpu = (await target.cpuSeconds()) - cpuBefore;
  const sorted = Float64Array.from(latencies).toSorted();
  const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    requestsPerSecond: latencies.length / took,
    cpuMicrosecondsPerRequest: (cpu * 1e6) / latencies.length,
    p50Milliseconds: quantile(0.5),
    p99Milliseconds: quantile(0.99),
  };
}

async function tooLate(name: string, seconds: number): Promise<never> {
  await sleep((seconds + 30) * 1000, undefined, { ref: false });
  throw new Error(`${name} left requests unanswered`);
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function encode({ method, path, headers = {}, body }: Asked, host: string): Buffer {
  const all = { host, ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
}

interface Run {
  messages: readonly Buffer[];
  renew: (at: number, answer: Buffer) => void;
  until: number;
  firstAt: number;
  /** The minimum time from one request to the next. */
  gapMilliseconds: number;
  latencies: number[];
  signal: AbortSignal;
}

/** Sends its share of the messages in turn until the time is over, each after the answer to the previous one. */
function sendRepeatedly(socket: Socket, share: readonly number[], run: Run): Promise<void> {
  const { messages, until, gapMilliseconds, latencies, signal } = run;
  return new Promise((resolve, reject) => {
    let turn = 0;
    let at = 0;
    let dueAt = run.firstAt;
    let sentAt = 0;
    let held: Buffer | undefined;
    const send = (since: number): void => {
      sentAt = since;
      if (sentAt >= until || signal.aborted) return resolve();
      at = share[turn++ % share.length] ?? 0;
      const message = messages[at];
      if (message !== undefined) socket.write(message);
    };
    const sendWhenDue = (): void => {
      const now = performance.now();
      if (gapMilliseconds === 0) return send(now);
      const wait = dueAt - now;
      // A delay that the server's last answer caused counts from the due time; a delay of this process's timer does not
      // count.
      if (wait <= 0) send(dueAt);
      else setTimeout(() => send(performance.now()), wait);
      dueAt += gapMilliseconds;
    };
    socket.on('data', (chunk: Buffer) => {
      held = held === undefined ? chunk : Buffer.concat([held, chunk]);
      const length = answerLength(held);
      if (length === undefined || held.length < length) return;
      if (held.length > length || !held.subarray(0, GOOD.length).equals(GOOD))
        return reject(new Error(`an answer is not one 200: ${held.toString('latin1').slice(0, 300)}`));
      latencies.push(performance.now() - sentAt);
      run.renew(at, held);
      held = undefined;
      sendWhenDue();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    sendWhenDue();
  });
}

/** The length of the whole answer in bytes, from its `Content-Length`; `undefined` until its head is complete. */
function answerLength(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const found = /\r\ncontent-length: *(\d+)/i.exec(answer.toString('latin1', 0, end));
  return end + 4 + Number(found?.[1] ?? 0);
}
