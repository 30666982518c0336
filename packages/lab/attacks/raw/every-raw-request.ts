import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { listenersOf, rawRequests, type Listener, type RawRequest } from './raw-requests.ts';
import { inTurns } from '../../in-turns.ts';
import type { Target } from '../target.ts';

const SIDE_BY_SIDE = 12;

export function everyRawRequestIsAnswered(target: Target): void {
  let pids: Target['stack']['facts']['pids'];

  it('in time, without a 5xx, with problem details', async () => {
    pids = { ...target.stack.facts.pids };
    const faults: (string | undefined)[] = [];
    for (const listener of listenersOf(target)) {
      const send = (request: RawRequest) => sendTo(listener, request);
      faults.push(...(await inTurns(rawRequests(listener), SIDE_BY_SIDE, send)));
    }
    assert.deepEqual(faults.filter(Boolean).slice(0, 20), []);
  });

  it('and every process lives and answers afterwards', async () => {
    assert.deepEqual(target.stack.facts.pids, pids);
    for (const { name, port } of listenersOf(target)) {
      const ping = Buffer.from('GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const { text } = await exchange(port, { name, bytes: ping, isWhole: true });
      assert.match(text, /^HTTP\/1\.1 200 /, name);
    }
  });
}

async function sendTo({ name, port }: Listener, request: RawRequest): Promise<string | undefined> {
  const answer = await exchange(port, request);
  const fault = faultOfRaw(request, answer);
  return fault && `${name}: ${request.name} ${fault}: ${answer.text.slice(0, 300)}`;
}

/** The response on one connection, and how it ended. */
interface RawAnswer {
  text: string;
  /** `answered`: one complete response arrived; `waiting`: the connection was still open at the timeout. */
  end: 'answered' | 'closed' | 'waiting';
}

const ANSWER_MS = 6000;
/** How long the server may wait for the rest; then the client signals that no more data will follow. */
const HALF_MS = 250;

function exchange(port: number, { bytes, isWhole }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const finish = (end: RawAnswer['end']): void => {
      clearTimeout(half);
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, end });
    };
    const half = setTimeout(() => !isWhole && socket.end(), HALF_MS);
    const timer = setTimeout(() => finish('waiting'), ANSWER_MS);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isWhole && isWholeAnswer(text)) finish('answered');
    });
    // A reset occurs if the server closes the connection while data is still in transit.
    socket
      .on('error', () => finish('closed'))
      .on('end', () => finish('closed'))
      .on('close', () => finish('closed'));
    socket.write(bytes);
  });
}

function isWholeAnswer(text: string): boolean {
  const { status, headers, body } = finalAnswer(text);
  if (status === 0) return false;
  if (status === 204 || status === 304) return true;
  const length = lengthIn(headers);
  return length !== undefined && body.length >= length;
}

function lengthIn(headers: string): number | undefined {
  const [, length] = /^content-length: (\d+)$/im.exec(headers) ?? [];
  return length === undefined ? undefined : Number(length);
}

/** The first response after interim ones (RFC 9110 §15.2); status 0 if there is none yet. */
function finalAnswer(text: string): { status: number; headers: string; body: string } {
  const [, status = '0', head = '', rest = ''] =
    /^(?:HTTP\/1\.1 1\d\d [^\r\n]*\r\n\r\n)*HTTP\/1\.1 ([2-9]\d\d) [^\r\n]*\r\n([^]*?)\r\n\r\n([^]*)$/.exec(
      text,
    ) ?? [];
  const headers = head.replaceAll('\r\n', '\n');
  return { status: Number(status), headers, body: rest.slice(0, lengthIn(headers)) };
}

function faultOfRaw({ bytes }: RawRequest, { text, end }: RawAnswer): string | undefined {
  if (end === 'waiting') return 'is left waiting';
  // Bytes that are not a request need no response, and a reset may overtake a response.
  if (text === '') return undefined;
  const { status, headers, body } = finalAnswer(text);
  if (status === 0) return 'is answered with what is no answer';
  if (status >= 500) return `is answered ${status}`;
  if (/^server: (?!nginx$)|^x-powered-by:|^x-injected:/im.test(headers))
    return 'is told what it should not be';
  if (/node_modules|\.ts:\d|\bat \w+ \(|SyntaxError|TypeError|nginx/.test(body)) return 'is told our insides';
  if (status < 400 || bytes.subarray(0, 5).toString() === 'HEAD ') return undefined;
  if (!/^content-type: application\/problem\+json$/im.test(headers))
    return `is answered ${status} without a problem`;
  return /"code":"[a-z_]+"(?:,"LoginStatus":\d)?,"traceId":"[0-9a-f]{32}"/.test(body)
    ? undefined
    : 'gets a problem without code or trace';
}
