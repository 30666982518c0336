import { request } from 'node:http';
import { someAddress } from '@gatehouse/accounts/testing';

/** The result of a call; status 0 if the connection broke. */
export interface Outcome {
  name: string;
  status: number;
  milliseconds: number;
  body: Record<string, unknown>;
  hasRetryAfter: boolean;
}

/** A short description of a response. */
export function tell({ status, body: { code, PingStatus } }: Outcome): string {
  return `${status} ${JSON.stringify({ code, PingStatus })}`;
}

/** Whether a fault may cause this response: 503, or none because the process has died. */
export function isExcused({ status }: Outcome): boolean {
  return status === 503 || status === 0;
}

/** A response that takes longer counts as missing. */
const GIVE_UP_MS = 15_000;

/**
 * Sends a request over a separate connection, so that the gateway's handling of idle connections cannot break it, and
 * from a new address where a service believes it.
 */
export function oneCall(
  name: string,
  url: string,
  {
    body,
    token,
    method = body === undefined ? 'GET' : 'POST',
  }: { body?: object; token?: string | undefined; method?: 'GET' | 'POST' | 'DELETE' } = {},
): Promise<Outcome> {
  const begun = performance.now();
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const finish = (status: number, more: Partial<Outcome> = {}) =>
      resolve({
        ...{ name, status, milliseconds: performance.now() - begun, body: {}, hasRetryAfter: false },
        ...more,
      });
    const headers = {
      'x-forwarded-for': someAddress(),
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const sent = request(url, { method, headers, agent: false });
    sent.setTimeout(GIVE_UP_MS, () => sent.destroy());
    sent.on('error', () => finish(0));
    sent.on('response', (response) => {
      const { statusCode = 0, headers: given } = response;
      let answer = '';
      response.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      response.on('error', () => finish(0));
      response.on('end', () => {
        const isJson = given['content-type']?.includes('json') === true;
        finish(statusCode, {
          body: isJson ? (JSON.parse(answer) as Record<string, unknown>) : {}, // all our JSON bodies are objects
          hasRetryAfter: given['retry-after'] !== undefined,
        });
      });
    });
    sent.end(text);
  });
}
