import { expiredGuests } from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { NoticeDeps, SessionDeps } from '../deps.ts';
import { scheduleErasure } from '../erasure/schedule-erasure.ts';

/** How many guests one call handles. */
const BATCH = 1000;

/**
 * Orders the erasure of guests who have been without content for more than `days`. It is due at once. A guest who is
 * invited again meanwhile stays: this is checked while the account is locked. Call it regularly, in any number of
 * processes. Returns how many.
 */
export async function eraseExpiredGuests(
  deps: SessionDeps & NoticeDeps,
  { days, isStopping }: { days: number; isStopping: () => boolean },
): Promise<number> {
  const found = await expiredGuests.findExpired(deps.db, { days, max: BATCH });
  let count = 0;
  for (const accountId of found) {
    if (isStopping()) break;
    const ordered = await scheduleErasure(
      deps,
      {
        accountId,
        actor: { kind: 'System' },
        moment: new Date(0),
        use: (tx) => expiredGuests.isExpired(tx, accountId, days),
      },
      { ...withinSeconds(10), traceId: newId().replaceAll('-', '') },
    );
    if (ordered.kind === 'scheduled') count += 1;
  }
  return count;
}
