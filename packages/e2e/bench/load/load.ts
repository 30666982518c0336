import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as it is sent, again and again. */
export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** A server under load, by what is asked of it. */
export interface Target {
  name: string;
  url: string;
  /** Shared out among the connections, each of which sends its share again and again. */
  requests: Asked[];
  /** What is asked in the place of a request that was answered so; without it the same again. */
  next?: (asked: Asked, answer: string) => Asked;
  /** CPU seconds that the server's process has used since its start. */
  cpuSeconds: () => Promise<number>;
}

/** What one round showed. */
export interface Round {
  requestsPerSecond: number;
  cpuMicrosecondsPerRequest: number;
  /** Of the time from sending a request to its whole answer. */
  p50Milliseconds: number;
  p99Milliseconds: number;
}

/** How hard the server is asked. */
export interface Pace {
  connections?: number;
  /**
   * So many requests a second and no more; without it as many as the server answers. A request that is late because
   * the answer before it was counts from when it was due.
   */
  perSecond?: number;
}

const CONNECTIONS = 32;

/**
 * Loads the server from this process for so many seconds, one request at a time on each connection. Sockets and
 * ready-made bytes, no HTTP client: the generator shares the machine with the server, and what it costs would be
 * taken for the server's own slowness, the more the faster the server is.
 *
 * @throws {Error} for any answer but 200: a server that refuses is fast, but that is not what is measured.
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
    const asked = target.requests[at];
    if (target.next === undefined || asked === undefined) return;
    target.requests[at] = target.next(asked, answer.toString());
    messages[at] = encode(target.requests[at], `${hostname}:${port}`);
  };
  const runs = sockets.map((socket, index) => {
    const share = [...messages.keys()].filter((at) => at % connections === index % messages.length);
    const gapMilliseconds = perSecond === undefined ? 0 : (connections * 1000) / perSecond;
    const firstAt = began + (gapMilliseconds * index) / connections;
    return askAgain(socket, share, { messages, renew, until, firstAt, gapMilliseconds, latencies, signal });
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
  /** From one request to the next, at least. */
  gapMilliseconds: number;
  latencies: number[];
  signal: AbortSignal;
}

/** Sends its share of the messages in turn until the time is over, each when the one before is answered. */
function askAgain(socket: Socket, share: readonly number[], run: Run): Promise<void> {
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
      // What the server's last answer held up counts from its due time; what this process's timer did does not.
      if (wait <= 0) send(dueAt);
      else setTimeout(() => send(performance.now()), wait);
      dueAt += gapMilliseconds;
    };
    socket.on('data', (chunk: Buffer) => {
      held = held === undefined ? chunk : Buffer.concat([held, chunk]);
      const length = answerLength(held);
      if (length === undefined || held.length < length) return;
      if (held.length > length || !isGood(held)) {
        return reject(new Error(`an answer is not one 200: ${held.toString('latin1').slice(0, 300)}`));
      }
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

const GOOD = Buffer.from('HTTP/1.1 200 ');

function isGood(answer: Buffer): boolean {
  return answer.compare(GOOD, 0, GOOD.length, 0, GOOD.length) === 0;
}

/** The bytes of the whole answer, by its `Content-Length`; `undefined` before its head is complete. */
function answerLength(answer: Buffer): number | undefined {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const found = /\r\ncontent-length: *(\d+)/i.exec(answer.toString('latin1', 0, end));
  return end + 4 + Number(found?.[1] ?? 0);
}
