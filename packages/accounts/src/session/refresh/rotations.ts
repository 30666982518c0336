import type { RefreshTokens } from '@gatehouse/auth-core';
import { inTransaction, sessionRefresh, type Db, type Rotated } from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import type { AccountSettings } from '../../settings/account-settings.ts';

/** The content of a genuine refresh token, as returned by `RefreshTokens.read`. */
export interface Use {
  sessionId: string;
  nonce: Buffer;
}

/** Uses a refresh token; `undefined` if it gets nothing, for which the session's row then has the reason. */
export type Rotate = (use: Use, deadline: Deadline) => Promise<Rotated | undefined>;

/**
 * Uses refresh tokens in batches: requests that arrive while a statement is running share the next one, because
 * planning and committing a statement costs more than changing a row. A statement handles one token per session;
 * requests with the same token share its result, which they would also get one after the other.
 *
 * No request waits for another session. A statement skips sessions that are locked (by a login, a logout, or the same
 * session on another instance), and each of those is then handled by a separate statement: a statement that waits for
 * locks while it has others could deadlock. A statement that takes longer than `SLOW_MS` does not delay others either:
 * the next batch is then sent without waiting for it. If a statement fails, all its tokens fail and nothing has
 * changed. Its deadline is the earliest of its requests; requests with little time left are sent alone, so that they do
 * not shorten the others' time.
 */
export function createRotations(options: {
  db: Db;
  refreshTokens: RefreshTokens;
  settings: Pick<AccountSettings, 'REFRESH_GRACE_SECONDS' | 'SESSION_IDLE_SECONDS'>;
}): Rotate {
  const { db, refreshTokens, settings } = options;
  const bounds = {
    graceSeconds: settings.REFRESH_GRACE_SECONDS,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
  };
  /** By token, in the order of arrival. */
  const waiting = new Map<string, Waiting>();
  let inFlight = 0;

  function send(): void {
    if (inFlight === 0 && waiting.size > 0) void answer(takeBatch(waiting));
  }

  function sendAll(): void {
    while (waiting.size > 0) void answer(takeBatch(waiting));
  }

  async function answer(batch: Waiting[]): Promise<void> {
    inFlight += 1;
    const slow = setTimeout(sendAll, SLOW_MS);
    try {
      const dueAt = Math.min(...batch.map((one) => one.dueAt));
      const rotated = await rotate(batch, { dueAt }, 'skip');
      const bySession = new Map(rotated.map((one) => [one.sessionId, one]));
      for (const one of batch) one.resolve(bySession.get(one.sessionId) ?? alone(one));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(slow);
      inFlight -= 1;
      send();
    }
  }

  /** For a token that the batch left out: it is refused, or its session was locked and will become free. */
  async function alone(one: Use & Deadline): Promise<Rotated | undefined> {
    const [rotated] = await rotate([one], one, 'wait');
    return rotated;
  }

  function rotate(uses: readonly Use[], deadline: Deadline, locked: 'skip' | 'wait'): Promise<Rotated[]> {
    const attempts = uses.map(({ sessionId, nonce }) => ({
      sessionId,
      nonce,
      fresh: refreshTokens.newNonce(),
    }));
    return inTransaction(db, deadline, (tx) => sessionRefresh.rotate(tx, attempts, { ...bounds, locked }));
  }

  return (use, { dueAt }) => {
    if (dueAt - performance.now() < SHORT_MS) return alone({ ...use, dueAt });
    const token = use.sessionId + use.nonce.toString('base64');
    let one = waiting.get(token);
    if (one === undefined) {
      one = startWaiting({ ...use, dueAt });
      waiting.set(token, one);
      // Requests that arrive in one turn of the event loop are sent together.
      if (waiting.size === 1) setImmediate(send);
    }
    // Requests that share a result share the latest of their deadlines.
    one.dueAt = Math.max(one.dueAt, dueAt);
    return one.answer;
  };
}

/** Keeps statements short, and limits how many requests fail together. */
const BATCH_MAX = 128;
/** Many times the usual duration of a statement; after this wait, a request still has time for a separate statement. */
const SLOW_MS = 250;
/** Longer than a statement may take. */
const SHORT_MS = 3000;

interface Waiting extends Use {
  dueAt: number;
  answer: Promise<Rotated | undefined>;
  resolve: (rotated: Rotated | undefined | Promise<Rotated | undefined>) => void;
  reject: (error: unknown) => void;
}

function startWaiting(use: Use & Deadline): Waiting {
  let settle: Pick<Waiting, 'resolve' | 'reject'> | undefined;
  const answer = new Promise<Rotated | undefined>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error('a promise calls its executor at once');
  return { ...use, answer, ...settle };
}

/** Takes the first requests, limited in number and to one per session: tokens of one session must be used in order. */
function takeBatch(waiting: Map<string, Waiting>): Waiting[] {
  const batch = new Map<string, Waiting>();
  for (const [token, one] of waiting) {
    if (batch.has(one.sessionId)) continue;
    batch.set(one.sessionId, one);
    waiting.delete(token);
    if (batch.size === BATCH_MAX) break;
  }
  return [...batch.values()];
}
