import { randomInt } from 'node:crypto';

/** The result of a call: its status, or 0 if the connection broke. */
export interface Outcome {
  name: string;
  status: number;
  milliseconds: number;
  body: Record<string, unknown>;
  hasRetryAfter: boolean;
}

/** A response that takes longer counts as missing. */
const GIVE_UP_MS = 15_000;

/** Calls a service directly. The timeouts of the gateway would hide those of the service. */
export async function call(
  name: string,
  url: string,
  options: { body?: object; token?: string; method?: string } = {},
): Promise<Outcome> {
  const { body, token, method = 'POST' } = options;
  const begun = performance.now();
  const outcome = (status: number, more: Partial<Outcome> = {}): Outcome => ({
    name,
    status,
    milliseconds: performance.now() - begun,
    body: {},
    hasRetryAfter: false,
    ...more,
  });
  try {
    const response = await fetch(url, {
      method,
      headers: {
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return outcome(response.status, {
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      hasRetryAfter: response.headers.has('retry-after'),
    });
  } catch {
    return outcome(0);
  }
}
