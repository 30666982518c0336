import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { randomInt } from 'node:crypto';

/** A request as an attacker sends it, without normalisation. */
export interface RawRequest {
  method: string;
  /** The path with the query, exactly as sent. */
  path: string;
  token?: string | undefined;
  headers?: Record<string, string | string[]>;
  /** A string or bytes are sent unchanged, any other value as JSON. */
  body?: unknown;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed JSON; empty if the text is not JSON. */
  json: Record<string, unknown>;
  ms: number;
}

/** The promise for every response, whatever the request. */
const ANSWER_MS = 5000;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Closes the open connections. */
export function closeConnections(): void {
  agent.destroy();
}

/**
 * Sends a request directly to a service, each time from a different address, because failures are counted by address.
 *
 * @throws {Error} if there is no response within five seconds.
 */
export function ask(
  url: string,
  { method, path, token, headers = {}, body }: RawRequest,
): Promise<HttpAnswer> {
  const { hostname: host, port } = new URL(url);
  const payload = body === undefined || isRaw(body) ? body : JSON.stringify(body);
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ agent, host, port, path, method },
        headers: {
          'x-forwarded-for': someAddress(),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      },
      (answer) => {
        let text = '';
        const finish = (): void =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            json: jsonOf(text),
            ms: performance.now() - startedAt,
          });
        if (answer.headers['content-type'] === 'text/event-stream') {
          // A stream has no end, so its beginning is the response.
          sent.destroy();
          return finish();
        }
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', finish);
      },
    );
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`no answer to ${method} ${path} within 5 s`)));
    sent.on('error', reject).end(payload);
  });
}

/** A unique client address. */
export function someAddress(): string {
  const part = (values: number) => randomInt(values).toString(16);
  // Of the prefix for documentation (RFC 9637), with a /48 of its own.
  return `3fff:${part(0x1000)}:${part(0x1_0000)}:${part(0x1_0000)}::1`;
}

function isRaw(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
