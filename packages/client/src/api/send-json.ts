import { errorOf, retryAfterOf, throwOffline } from './gatehouse-error.ts';

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

/** Returns the body of the response. @throws {GatehouseError} on any failure, unless the caller aborts the call. */
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

const TRIES_MAX = 3;
const RETRY_AFTER_MAX_SECONDS = 30;

export interface Retrying {
  /** Whether sending the request twice has the same effect as once. If not, only refused connections are retried. */
  isRepeatable: boolean;
  signal?: AbortSignal | null | undefined;
}

/** Sends the request up to three times if its failure may be temporary. */
export async function withRetries(
  send: () => Promise<Response>,
  { isRepeatable, signal }: Retrying,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    let waitMs = retryDelayMs(0, 0, tries);
    try {
      const response = await send();
      waitMs = retryDelayMs(response.status, retryAfterOf(response), tries);
      if (!isRepeatable || waitMs === undefined) return response;
      await response.body?.cancel();
    } catch (error) {
      if (waitMs === undefined || signal?.aborted || !(isRepeatable || wasRefused(error))) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs);
      // After an abort, the next `send` rejects.
      signal?.addEventListener('abort', resolve, { once: true });
    });
  }
}

/**
 * The delay before the next try: 0.3 s, then 0.6 s, or `Retry-After` if that is longer. `undefined` means no further
 * try: after the third one, if the failure is permanent, or if `Retry-After` is more than 30 s.
 *
 * @param status 0 if there was no response.
 */
export function retryDelayMs(status: number, retryAfterSeconds = 0, tries: number): number | undefined {
  const isTransient = status === 0 || status === 429 || status >= 500;
  if (!isTransient || tries >= TRIES_MAX || retryAfterSeconds > RETRY_AFTER_MAX_SECONDS) return undefined;
  return Math.max(150 * 2 ** tries, retryAfterSeconds * 1000) * (1 + Math.random() / 4);
}

/** Whether the request never reached a server. Browsers do not say so; Node, Deno and Bun use different messages. */
function wasRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }; // read only
  return /refused/i.test(`${code} ${cause?.code} ${String(error)}`);
}
