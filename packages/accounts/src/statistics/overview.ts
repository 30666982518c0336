import { mailDeliveries, outbox, overview, type Backlog, type OverviewCounts } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

/** How an installation stands now. */
export interface Overview {
  /** When it was looked. */
  at: Date;
  counts: Omit<OverviewCounts, 'accountsEstimated'>;
  /** Whether there are as many accounts as counted; else Postgres has estimated them. */
  isExact: boolean;
  mails: Backlog;
  outbox: Backlog;
}

/** So far is counted: as well as beyond it, a number on a screen says enough. */
const COUNT_MAX = 100_000;
const REMEMBERED_MS = 15_000;

/**
 * Gives the one who says how the installation stands. What it costs does not grow with who asks how often: an answer
 * is good for 15 seconds, and those who ask meanwhile wait for the one look that is under way.
 */
export function createOverview(
  deps: Pick<AccountsDeps, 'db' | 'now'> & {
    settings: Pick<AccountsDeps['settings'], 'ONLINE_WINDOW_SECONDS'>;
  },
): () => Promise<Overview> {
  let last: { at: number; overview: Promise<Overview> } | undefined;
  return () => {
    const now = deps.now();
    if (last !== undefined && Math.abs(now - last.at) < REMEMBERED_MS) return last.overview;
    const looked = { at: now, overview: look(deps) };
    last = looked;
    looked.overview.catch(() => {
      if (last === looked) last = undefined;
    });
    return looked.overview;
  };
}

async function look({ db, now, settings }: Parameters<typeof createOverview>[0]): Promise<Overview> {
  const at = new Date(now());
  const onlineWindowSeconds = settings.ONLINE_WINDOW_SECONDS;
  // One after the other: nobody waits for the numbers of a screen as others wait for a connection.
  const { accountsEstimated, ...counts } = await overview.count(db, {
    max: COUNT_MAX + 1,
    onlineWindowSeconds,
  });
  const mails = await mailDeliveries.backlog(db, COUNT_MAX);
  const waiting = await outbox.backlog(db, COUNT_MAX);
  const isExact = counts.accounts <= COUNT_MAX;
  const accounts = isExact ? counts.accounts : Math.max(COUNT_MAX, Math.round(accountsEstimated));
  return { at, counts: { ...counts, accounts }, isExact, mails, outbox: waiting };
}
