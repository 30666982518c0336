import { retryAfterOf } from './gatehouse-error.ts';

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
