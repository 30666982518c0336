import { receivesMail, recipientOf, sourceOf, write } from '@gatehouse/accounts';
import type { AccountsDeps, Origin, WriteTransaction } from '@gatehouse/accounts';
import { accounts, erasures, guestAccounts, type Account } from '@gatehouse/db';
import { newEvent, newMailEvent, type AnyEvent } from '@gatehouse/events';
import { Counter, withinSeconds, type Lifecycle, type Metrics } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { measure } from '../measure.ts';

/** How soon an account is erased when its erasure is due. */
const EVERY_SECONDS = 5;

/** Erases accounts that are due until the service stops, and counts failures in a metric. */
export function startErasing(
  deps: AccountsDeps,
  { lifecycle, metrics }: { lifecycle: Pick<Lifecycle, 'every'>; metrics: Metrics },
): void {
  const tries = new Counter({
    name: 'gatehouse_erasures_total',
    help: 'Accounts that were erased, and tries to erase one that failed',
    labelNames: ['result'],
    registers: [metrics],
  });
  tries.inc({ result: 'erased' }, 0);
  tries.inc({ result: 'failed' }, 0);
  const overdue = {
    name: 'gatehouse_erasures_overdue_seconds',
    help: 'For how long the account that waits longest should have been erased, 0 without one',
  };
  measure(metrics, overdue, () => erasures.overdueSeconds(deps.db));
  const onFailure = (): void => tries.inc({ result: 'failed' });
  lifecycle.every(EVERY_SECONDS, 'erasing accounts', async () => {
    tries.inc({ result: 'erased' }, await eraseDueAccounts(deps, onFailure));
  });
}

const SYSTEM = { kind: 'System' } as const;

const ACCOUNTS_AT_ONCE = 25;
/** Per run, so that a long list leaves the database capacity for logins. */
const BATCHES_MAX = 200;
/** No further batch begins after this time, so that a run also ends if many accounts fail. */
const TURN_MS = 120_000;
/** How many rows of a very large account one transaction erases. */
const PART_ROWS = 2000;
/** How long each part may take of an account with too many rows for the usual time-out of a statement. */
const PART_SECONDS = 60;
/** No further part begins after this time: the next run continues. */
const PARTS_MS = 60_000;

/**
 * Erases the accounts that are due, each with all its data or not at all, in any number of processes: each takes
 * accounts that nobody else has locked. An account’s sessions must have ended everywhere before, because their cached
 * copies cannot be written without their rows. An account that cannot be erased does not delay others, and `onFailure`
 * is called. Returns how many were erased.
 */
export async function eraseDueAccounts(deps: AccountsDeps, onFailure: () => void = () => {}) {
  try {
    return await eraseInBatches(deps, onFailure);
  } finally {
    await write(deps, { actor: SYSTEM, origin: originWithin(10) }, (tx) => erasures.eraseLateMails(tx));
  }
}

async function eraseInBatches(deps: AccountsDeps, onFailure: () => void): Promise<number> {
  let count = 0;
  // Accounts that cannot be erased now are left to the next run.
  const tried: string[] = [];
  const failed: string[] = [];
  const endsAt = performance.now() + TURN_MS;
  for (let batch = 0; batch < BATCHES_MAX && performance.now() < endsAt; batch += 1) {
    const due = await erasures.findDue(deps.db, { max: ACCOUNTS_AT_ONCE, exceptIds: tried });
    if (due.length === 0) break;
    if (batch === 0) await deps.sessionCache.catchUp();
    const done = await eraseOrFindFailing(deps, due);
    tried.push(...done.tried, ...done.failed);
    failed.push(...done.failed);
    count += done.erased;
  }
  // At the end, because each of these may take long.
  for (const accountId of failed) count += await eraseInParts(deps, accountId, onFailure);
  return count;
}

/** `tried`: left to other processes, or to the next run. */
type BatchDone = Record<'tried' | 'failed', string[]> & { erased: number };

/** Erases the accounts together or, if that fails, one by one up to the first that fails; the rest is left. */
async function eraseOrFindFailing(deps: AccountsDeps, due: readonly string[]): Promise<BatchDone> {
  try {
    const erased = await eraseBatch(deps, due);
    return { erased: erased.length, tried: due.filter((id) => !erased.includes(id)), failed: [] };
  } catch {
    // The loop below finds the account that failed.
  }
  const done: BatchDone = { erased: 0, tried: [], failed: [] };
  for (const accountId of due) {
    try {
      const [erased] = await eraseBatch(deps, [accountId]);
      if (erased === undefined) done.tried.push(accountId);
      else done.erased += 1;
    } catch {
      done.failed.push(accountId);
      break;
    }
  }
  return done;
}

/** Erases an account that failed before, in parts and with more time. After a failure the next run continues. */
async function eraseInParts(deps: AccountsDeps, accountId: string, onFailure: () => void): Promise<number> {
  const endsAt = performance.now() + PARTS_MS;
  try {
    while (performance.now() < endsAt) {
      const count = await erasePart(deps, accountId, PART_SECONDS);
      if (count === undefined) return 0;
      if (count === 0) return (await eraseBatch(deps, [accountId], PART_SECONDS)).length;
    }
  } catch (error) {
    deps.log.error('an account could not be erased', { accountId, error });
    onFailure();
  }
  return 0;
}

/** Erases due accounts, if nobody else has locked them. `seconds`: how long each may take, if longer than usual. */
async function eraseBatch(deps: AccountsDeps, accountIds: readonly string[], seconds?: number) {
  const origin = originWithin(10 + (seconds ?? 0));
  return write(deps, { actor: SYSTEM, origin }, async (tx) => {
    const erased: string[] = [];
    for (const { id, account } of await makeReady(tx, accountIds)) {
      if (!(await erasures.erase(tx, id, seconds))) continue;
      tx.event(erasedEvent(deps, id, account, origin));
      erased.push(id);
    }
    return erased;
  });
}

/** Erases a part of an account in these seconds. Returns how many rows; `undefined` if it is locked or not ready. */
async function erasePart(deps: AccountsDeps, accountId: string, seconds: number) {
  const origin = originWithin(10 + seconds);
  return write(deps, { actor: SYSTEM, origin }, async (tx) => {
    const ready = await makeReady(tx, [accountId]);
    const part = { rowsMax: PART_ROWS, seconds };
    return ready.length === 0 ? undefined : erasures.erasePart(tx, accountId, part);
  });
}

function originWithin(seconds: number): Origin {
  return { ...withinSeconds(seconds), traceId: newId().replaceAll('-', '') };
}

/** Locks the accounts that nobody else has locked, and ends their sessions: an administrator may have revived one. */
async function makeReady(tx: WriteTransaction, accountIds: readonly string[]) {
  const locked = await guestAccounts.lockAvailable(tx, accountIds);
  const target = { kind: 'accounts', accountIds: locked.map(({ id }) => id) } as const;
  await tx.endSessions(target, 'account_erased');
  const ready: { id: string; account: Account | undefined }[] = [];
  for (const id of accountIds) {
    const account = locked.find((one) => one.id === id);
    // Of an account that no longer exists, only its traces are left.
    if (account !== undefined || (await accounts.findById(tx, id)) === undefined) ready.push({ id, account });
  }
  return ready;
}

/** The event of an erasure. An unverified address gets no mail, because it may belong to somebody else. */
function erasedEvent(deps: AccountsDeps, id: string, account: Account | undefined, origin: Origin): AnyEvent {
  const data = { UserId: id };
  const { traceId } = origin;
  if (account === undefined || !account.isEmailVerified || !receivesMail(account, 'own'))
    return newEvent('account.erased', data, { traceId });
  const content = { ...recipientOf(account), ...sourceOf({ traceId }) };
  return newMailEvent(deps.seal, 'account.erased', data, content, { traceId });
}
