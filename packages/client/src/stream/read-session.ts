import type { retryAfterOf } from '../api/gatehouse-error.ts';
import type { Fetch } from '../api/send-json.ts';
import type { Access } from '../session/access-token.ts';
import { readStatusEvents, type StreamedStatus } from './status-events.ts';

export interface ReadDeps {
  fetch: Fetch;
  base: string;
  /** Returns a valid token. If `refused` is given, a different one. */
  access: (refused?: Access) => Promise<Access>;
  /** The seconds to wait, according to a response. */
  retryAfterOf: typeof retryAfterOf;
  /** Called with every status in the stream. */
  onStatus: (sessionId: string, status: StreamedStatus) => void;
  /** Called whenever something is received. */
  onLife: () => void;
}

/** How a stream ended. `refused`: the server offers no streams. */
export type StreamEnd = { kind: 'over' | 'failed'; afterMs: number } | { kind: 'refused' };

/** If nothing arrives in this time, a proxy is probably buffering the response. */
const FIRST_WITHIN_MS = 10_000;
/** The server sends something every 20 s. */
const NEXT_WITHIN_MS = 45_000;

/** Reads one stream to its end, or until it is silent for too long. */
export async function readSession(deps: ReadDeps, stopping: AbortController): Promise<StreamEnd> {
  const { signal } = stopping;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expect = (withinMs: number): void => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => stopping.abort(), withinMs);
  };
  // On some platforms an abort does not end a read.
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new TypeError('aborted')), { once: true });
  });
  expect(FIRST_WITHIN_MS);
  try {
    return await Promise.race([read(deps, signal, () => expect(NEXT_WITHIN_MS)), aborted]);
  } finally {
    clearTimeout(timer);
  }
}

async function read(
  { fetch, base, access, retryAfterOf, onStatus, onLife }: ReadDeps,
  signal: AbortSignal,
  expectNext: () => void,
): Promise<StreamEnd> {
  const current = await access();
  const response = await fetch(`${base}/account/session/stream`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${current.token}` },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal,
  });
  const { body } = response;
  if (!isStream(response) || body === null)
    return endOf(response, retryAfterOf(response) ?? 0, () => access(current));
  let [hasStatus, retryMs] = [false, 0];
  await readStatusEvents(body, (part) => {
    expectNext();
    retryMs = part.retryMs ?? retryMs;
    hasStatus ||= part.status !== undefined;
    if (part.status !== undefined) onStatus(current.session.id, part.status);
    onLife();
  });
  return { kind: hasStatus ? 'over' : 'failed', afterMs: retryMs };
}

function isStream({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** How to continue after a response that is not a stream. */
async function endOf(
  response: Response,
  retryAfterSeconds: number,
  renew: () => Promise<unknown>,
): Promise<StreamEnd> {
  const { status } = response;
  await response.body?.cancel();
  // The refresh finds out whether the session is over or only the token has expired.
  if (status === 401) await renew();
  const isTransient = status === 401 || status === 429 || status >= 500;
  if (!isTransient) return { kind: 'refused' };
  return { kind: 'failed', afterMs: retryAfterSeconds * 1000 };
}
