import { errorOf, throwOffline } from './gatehouse-error.ts';
import { withRetries } from './with-retries.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const PATIENCE_MS = 10_000;

export interface JsonCall {
  method?: string;
  url: string;
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Replaces the default timeout of ten seconds. */
  signal?: AbortSignal | undefined;
  /** Whether to retry if the outcome is unknown. Default: true, except for POST. */
  isRepeatable?: boolean;
  /** Whether the request is completed even if the user leaves the page. */
  keepalive?: boolean;
}

/**
 * Calls a Gatehouse API and returns the body of the response.
 *
 * @throws {GatehouseError} on any failure, unless the caller aborts the call.
 */
export async function sendJson(fetch: Fetch, call: JsonCall): Promise<unknown> {
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
      // Without a body, this is `undefined`.
      body: JSON.stringify(body),
      // Only the token identifies the caller.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      keepalive,
      signal: signal ?? AbortSignal.timeout(PATIENCE_MS),
    });
  const { isRepeatable = method !== 'POST' } = call;
  const response = await withRetries(send, { isRepeatable, signal }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    return throwOffline(error);
  });
  if (!response.ok) throw await errorOf(response);
  if (response.status === 204) return undefined;
  return response.headers.get('content-type')?.includes('json') === true ? response.json() : response.text();
}
