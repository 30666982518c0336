import { expiredGuests, unverifiedAccounts } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { NoticeDeps, SessionDeps } from '../deps.ts';
import { scheduleErasure } from '../erasure/erasure.ts';

/** How many accounts one call handles. */
const BATCH = 1000;

/** Guests who have been without content, and accounts whose email nobody has verified. */
const QUERIES = { guests: expiredGuests, unverified: unverifiedAccounts } as const;

/**
 * Orders the erasure of accounts that have been of this kind for more than `days`. It is due at once. An account that is
 * used meanwhile stays: this is checked while it is locked. Call it regularly, in any number of processes. Returns how
 * many.
 */
export async function eraseOldAccounts(
  deps: SessionDeps & NoticeDeps,
  kind: keyof typeof QUERIES,
  { days, isStopping }: { days: number; isStopping: () => boolean },
): Promise<number> {
  const queries = QUERIES[kind];
  const found = await queries.findExpired(deps.db, { days, max: BATCH });
  let count = 0;
  for (const accountId of found) {
    if (isStopping()) break;
    const ordered = await scheduleErasure(
      deps,
      {
        accountId,
        actor: { kind: 'System' },
        moment: new Date(0),
        use: (tx) => queries.isExpired(tx, accountId, days),
      },
      { ...withinSeconds(10), traceId: newId().replaceAll('-', '') },
    );
    if (ordered.kind === 'scheduled') count += 1;
  }
  return count;
}
