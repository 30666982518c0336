import { mailDeliveries, outbox, overview, type Backlog, type OverviewCounts } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

/** The current totals of an installation. */
export interface Overview {
  /** When the totals were read. */
  at: Date;
  counts: Omit<OverviewCounts, 'accountsEstimated'>;
  /** Whether the number of accounts is exact; otherwise Postgres has estimated it. */
  isExact: boolean;
  mails: Backlog;
  outbox: Backlog;
}

/** Rows are counted up to this number; on a screen, a higher number says nothing more. */
const COUNT_MAX = 100_000;
const REMEMBERED_MS = 15_000;

/**
 * Creates a function that returns the current totals. Its cost does not depend on how often it is called: a result is
 * reused for 15 seconds, and concurrent callers share the same query.
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
  // One after another: these numbers are less urgent than other requests that need a connection.
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
