import type { RefreshTokens, Replacement } from '@gatehouse/auth-core';
import { clientSessions, inTransaction, sessionRefresh, sessionsOfOwner } from '@gatehouse/db';
import type { Db, Rotated, RotatedClientSession, Transaction } from '@gatehouse/db';
import { atMost, createRecentReads, type Deadline } from '@gatehouse/runtime';
import type { CachedSession } from '@gatehouse/redis';
import type { AccountSettings } from '../../settings/account-settings.ts';

export type RotateSession = Rotate<Use, Rotated>;

/** A client shows a refresh token of its own; `sessionId` is the client session. */
export type RotateClientSession = Rotate<
  Use & { clientId: string; address: string; userAgent: string | undefined },
  RotatedClientSession
>;

interface Options {
  db: Db;
  refreshTokens: Pick<RefreshTokens, 'newNonce'>;
  clientRefreshTokens: Pick<RefreshTokens, 'newNonce'>;
  settings: Pick<AccountSettings, 'REFRESH_GRACE_SECONDS' | 'SESSION_IDLE_SECONDS' | 'GRANT_IDLE_SECONDS'>;
}

export function createRotations({ db, refreshTokens, clientRefreshTokens, settings }: Options) {
  const bounds = {
    graceSeconds: settings.REFRESH_GRACE_SECONDS,
    idleSeconds: settings.SESSION_IDLE_SECONDS,
    grantIdleSeconds: settings.GRANT_IDLE_SECONDS,
  };
  const rotate: RotateSession = createRotationBatches({
    db,
    rotate: (tx, uses, locked) => {
      const attempts = uses.map(({ sessionId, nonce }) => ({
        ...{ sessionId, nonce },
        fresh: refreshTokens.newNonce(),
      }));
      return sessionRefresh.rotate(tx, attempts, { ...bounds, locked });
    },
    rowOf: ({ sessionId }) => sessionId,
    shownBy: () => '',
  });
  const rotateClient: RotateClientSession = createRotationBatches({
    db,
    rotate: (tx, uses, locked) => {
      const attempts = uses.map(({ sessionId: id, ...use }) => ({
        ...use,
        id,
        fresh: clientRefreshTokens.newNonce(),
      }));
      return clientSessions.rotate(tx, attempts, { ...bounds, locked });
    },
    rowOf: ({ id }) => id,
    shownBy: ({ clientId }) => clientId,
  });
  return { rotate, rotateClient };
}

/** The content of a genuine refresh token, as returned by `RefreshTokens.read`. */
interface Use {
  sessionId: string;
  nonce: Buffer;
}

/** Uses a refresh token; `undefined` if it gets nothing, for which its row then has the reason. */
type Rotate<U extends Use, R> = (use: U, deadline: Deadline) => Promise<R | undefined>;

/**
 * Uses refresh tokens in batches: requests that arrive while a statement runs share the next one, because planning and
 * committing costs more than changing a row. Requests with the same token share its result, as they would one after the
 * other.
 *
 * No request waits for another session. A statement skips locked sessions, and each of those gets a statement of its
 * own: one that waits for locks while it has others could deadlock. After `SLOW_MS` the next batch is sent without
 * waiting. If a statement fails, all its tokens fail and nothing has changed. Its deadline is the earliest of its
 * requests; those with little time left are sent alone, so as not to shorten the others' time.
 */
function createRotationBatches<U extends Use, R>(options: {
  db: Db;
  /** Uses tokens of different rows in one statement. */
  rotate: (tx: Transaction, uses: readonly U[], locked: 'skip' | 'wait') => Promise<R[]>;
  rowOf: (result: R) => string;
  /** Who shows a token: the same token shown by others is no share of the result. */
  shownBy: (use: U) => string;
}): Rotate<U, R> {
  const { db, rowOf, shownBy } = options;
  /** By token, in the order of arrival. */
  const waiting = new Map<string, Waiting<U, R>>();
  let inFlight = 0;

  function send(): void {
    if (inFlight === 0 && waiting.size > 0) void answer(takeBatch(waiting));
  }

  function sendAll(): void {
    while (waiting.size > 0) void answer(takeBatch(waiting));
  }

  async function answer(batch: Waiting<U, R>[]): Promise<void> {
    inFlight += 1;
    const slow = setTimeout(sendAll, SLOW_MS);
    try {
      const dueAt = Math.min(...batch.map((one) => one.dueAt));
      const uses = batch.map(({ use }) => use);
      const rotated = await rotate(uses, { dueAt }, 'skip');
      const byRow = new Map(rotated.map((one) => [rowOf(one), one]));
      for (const one of batch) one.resolve(byRow.get(one.use.sessionId) ?? alone(one.use, one));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(slow);
      inFlight -= 1;
      send();
    }
  }

  /** For a token that the batch left out: it is refused, or its session was locked and will become free. */
  async function alone(use: U, { dueAt }: Deadline): Promise<R | undefined> {
    const [rotated] = await rotate([use], { dueAt }, 'wait');
    return rotated;
  }

  function rotate(uses: readonly U[], deadline: Deadline, locked: 'skip' | 'wait'): Promise<R[]> {
    return inTransaction(db, deadline, (tx) => options.rotate(tx, uses, locked));
  }

  return (use, { dueAt }) => {
    if (dueAt - performance.now() < SHORT_MS) return alone(use, { dueAt });
    const token = use.sessionId + use.nonce.toString('base64') + shownBy(use);
    let one = waiting.get(token);
    if (one === undefined) {
      one = startWaiting(use, dueAt);
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

interface Waiting<U, R> extends Deadline {
  use: U;
  dueAt: number;
  answer: Promise<R | undefined>;
  resolve: (rotated: R | undefined | Promise<R | undefined>) => void;
  reject: (error: unknown) => void;
}

function startWaiting<U, R>(use: U, dueAt: number): Waiting<U, R> {
  let settle: Pick<Waiting<U, R>, 'resolve' | 'reject'> | undefined;
  const answer = new Promise<R | undefined>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (settle === undefined) throw new Error('a promise calls its executor at once');
  return { use, dueAt, answer, ...settle };
}

/** Takes the first requests, limited in number and to one per row: tokens of one session must be used in order. */
function takeBatch<U extends Use, R>(waiting: Map<string, Waiting<U, R>>): Waiting<U, R>[] {
  const batch = new Map<string, Waiting<U, R>>();
  for (const [token, one] of waiting) {
    if (batch.has(one.use.sessionId)) continue;
    batch.set(one.use.sessionId, one);
    waiting.delete(token);
    if (batch.size === BATCH_MAX) break;
  }
  return [...batch.values()];
}

/** Finds the login that replaced a session; `undefined` if there is none, or if it cannot be found in time. */
export type FindReplacement = (
  session: Pick<CachedSession, 'accountId' | 'sessionId' | 'version'>,
) => Promise<Replacement | undefined>;

const WAIT_MS = 300;
/** Results are remembered, because some clients repeat refused requests, and a session's replacement never changes. */
const REMEMBERED = { maxAgeMs: 86_400_000, max: 10_000 };

export function createReplacements(db: Db): FindReplacement {
  const find = createRecentReads(async (key): Promise<Replacement | undefined> => {
    const [accountId = '', sessionId = ''] = key.split(' ');
    const found = await sessionsOfOwner.findReplacement(db, { accountId, sessionId });
    return (
      found && {
        ...(found.deviceName !== null && { deviceName: found.deviceName }),
        ...(found.userAgent !== null && found.userAgent !== '' && { userAgent: found.userAgent }),
        at: found.createdAt,
        ...(found.tag !== '' && { tag: found.tag }),
      }
    );
  }, REMEMBERED);
  return ({ accountId, sessionId, version }) =>
    atMost(
      WAIT_MS,
      find(`${accountId} ${sessionId} ${version}`).catch(() => undefined),
    );
}
