import { errorOf, ownError } from './gatehouse-error.ts';
import { withRetries } from './with-retries.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const PATIENCE_MS = 10_000;

export interface JsonCall {
  method?: string;
  url: string;
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** In the place of the ten seconds that an answer has. */
  signal?: AbortSignal | undefined;
  /** Whether it may be sent again where its outcome is unknown; reads, PUT and DELETE always may. */
  isRepeatable?: boolean;
  /** Sent to its end even if the page is left. */
  keepalive?: boolean;
}

/**
 * Asks one of our APIs and gives back what it answers.
 *
 * @throws {GatehouseError} whatever goes wrong, unless the caller aborts it.
 */
export async function sendJson(fetch: Fetch, call: JsonCall): Promise<unknown> {
  const response = await sendOnce(fetch, call);
  if (!response.ok) throw await errorOf(response);
  if (response.status === 204) return undefined;
  return response.headers.get('content-type')?.includes('json') === true ? response.json() : response.text();
}

async function sendOnce(fetch: Fetch, call: JsonCall): Promise<Response> {
  const { method = 'POST', url, body, token, headers, signal, keepalive = false } = call;
  const send = (): Promise<Response> =>
    fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Who calls is said by the token alone.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      keepalive,
      signal: signal ?? AbortSignal.timeout(PATIENCE_MS),
    });
  try {
    return await withRetries(send, { isRepeatable: call.isRepeatable ?? method !== 'POST', signal });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw ownError('offline', error);
  }
}
