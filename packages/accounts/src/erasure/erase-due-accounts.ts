import { accountErasure, erasures, inTransaction } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';
import type { AccountsDeps } from '../deps.ts';
import { erasePart, eraseTogether, type ErasingDeps } from './erase-accounts.ts';

type Deps = ErasingDeps & Pick<AccountsDeps, 'sessionCache' | 'log'>;

const ACCOUNTS_AT_ONCE = 25;
/** Of one turn, so that a long list leaves the database room for logins. */
const BATCHES_MAX = 200;
/** No further batch is begun after this, so that a turn ends where many accounts fail. */
const TURN_MS = 120_000;
/** What each part of an account may take that has more rows than fit into the time of a statement. */
const PART_SECONDS = 60;
/** No further part is begun after this: the next turn goes on. */
const PARTS_MS = 60_000;

/**
 * Erases the accounts whose time has come: each with all that is its own, or not at all. Call it now and then, in any
 * number of processes: each takes accounts that nobody else has locked. Sessions have ended everywhere before: without
 * their rows nobody could write their cached copies any more. An account that cannot be erased keeps no other from it, and
 * `onFailure` hears of it. Returns how many.
 */
export async function eraseDueAccounts(deps: Deps, onFailure: () => void = () => {}): Promise<number> {
  try {
    return await eraseInBatches(deps, onFailure);
  } finally {
    await inTransaction(deps.db, withinSeconds(10), (tx) => accountErasure.eraseLateMails(tx));
  }
}

async function eraseInBatches(deps: Deps, onFailure: () => void): Promise<number> {
  let count = 0;
  // Those that could not be erased now are left to the next turn.
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
  // Last, as each may take long.
  for (const accountId of failed) count += await eraseAlone(deps, accountId, onFailure);
  return count;
}

interface BatchDone {
  erased: number;
  /** Left to others, or to the next turn. */
  tried: string[];
  failed: string[];
}

/** Erases them together; where that fails, one by one up to the first that fails, and the others come with the next batch. */
async function eraseOrFindFailing(deps: Deps, due: readonly string[]): Promise<BatchDone> {
  try {
    const erased = await eraseTogether(deps, due);
    return { erased: erased.length, tried: due.filter((id) => !erased.includes(id)), failed: [] };
  } catch {
    // By whom, is what comes out now.
  }
  const done: BatchDone = { erased: 0, tried: [], failed: [] };
  for (const accountId of due) {
    try {
      const [erased] = await eraseTogether(deps, [accountId]);
      if (erased === undefined) done.tried.push(accountId);
      else done.erased += 1;
    } catch {
      done.failed.push(accountId);
      break;
    }
  }
  return done;
}

/**
 * Erases an account that failed before, part by part, with more time; a failure is for the log, and what is left for the
 * next turn.
 */
async function eraseAlone(deps: Deps, accountId: string, onFailure: () => void): Promise<number> {
  const endsAt = performance.now() + PARTS_MS;
  try {
    while (performance.now() < endsAt) {
      const count = await erasePart(deps, accountId, PART_SECONDS);
      if (count === undefined) return 0;
      if (count === 0) return (await eraseTogether(deps, [accountId], PART_SECONDS)).length;
    }
  } catch (error) {
    deps.log.error('an account could not be erased', { accountId, error });
    onFailure();
  }
  return 0;
}
