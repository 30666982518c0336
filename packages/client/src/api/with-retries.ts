import { retryAfterOf } from './gatehouse-error.ts';

const TRIES_MAX = 3;
const RETRY_AFTER_MAX_SECONDS = 30;

export interface Retrying {
  /** Whether doing it twice is doing it once. Else only a connection that was refused is tried again. */
  isRepeatable: boolean;
  signal?: AbortSignal | null | undefined;
}

/** Sends up to three times where that may help. */
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
      // Then `send` says so.
      signal?.addEventListener('abort', resolve, { once: true });
    });
  }
}

/**
 * How long to wait before trying again: as long as the answer asks for, 30 s at most; else 0.3 s, and twice that. Nothing
 * after the third try, and where trying again would change nothing.
 *
 * @param status 0 where there was no answer.
 */
export function retryDelayMs(status: number, retryAfterSeconds = 0, tries: number): number | undefined {
  const isTransient = status === 0 || status === 429 || status >= 500;
  if (!isTransient || tries >= TRIES_MAX || retryAfterSeconds > RETRY_AFTER_MAX_SECONDS) return undefined;
  return Math.max(150 * 2 ** tries, retryAfterSeconds * 1000) * (1 + Math.random() / 4);
}

/** Whether nobody has seen the request. Browsers do not tell; Node, Deno and Bun do, each in words of its own. */
function wasRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }; // read only
  return /refused/i.test(`${code} ${cause?.code} ${String(error)}`);
}
