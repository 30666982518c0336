import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { someAddress } from '@gatehouse/accounts/testing';
import { FORM } from '@gatehouse/http';

/** A request that is sent unchanged; other clients would normalise the path. */
export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** A string is sent unchanged, parameters as a form, any other value as JSON. */
  body?: unknown;
  /** Over a connection of its own. */
  isAlone?: boolean;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body if it is a JSON object, otherwise empty. */
  body: Record<string, unknown>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request from a new address, unless the headers contain one. */
export function send(
  url: string,
  { method, path, headers = {}, body, isAlone = false }: Sent,
  answerMs = 30_000,
): Promise<Received> {
  const { hostname, port } = new URL(url);
  const isForm = body instanceof URLSearchParams;
  const isText = body === undefined || typeof body === 'string';
  const text = isForm ? body.toString() : isText ? body : JSON.stringify(body);
  const given = {
    'x-forwarded-for': someAddress(),
    ...(text !== undefined && {
      'content-type': isForm ? FORM : 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const to = { hostname, port, method, path, agent: isAlone ? false : agent };
    const options = { ...to, headers: given, timeout: answerMs };
    const message = httpRequest(options, (answer) => {
      const { statusCode: status = 0, headers: sent } = answer;
      if (sent['content-type'] === 'text/event-stream') {
        // A stream has no end, so its beginning is the response.
        message.destroy();
        return resolve({ status, headers: sent, text: '', body: {} });
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const received = Buffer.concat(chunks).toString('utf8');
        resolve({ status, headers: sent, text: received, body: read(received) });
      });
    });
    message.on('timeout', () =>
      message.destroy(new Error(`${method} ${path}: no answer within ${answerMs} ms`)),
    );
    message.on('error', reject);
    message.end(text);
  });
}

/** The answer, whatever the load: on a busy machine a password may not be checked in time. */
export async function patiently(ask: () => Promise<Received>): Promise<Received> {
  let answer = await ask();
  for (let tries = 0; answer.status === 503 && tries < 5; tries += 1) answer = await ask();
  return answer;
}

function read(text: string): Record<string, unknown> {
  if (!text.startsWith('{')) return {};
  return JSON.parse(text) as Record<string, unknown>; // its first character shows that it is an object
}
