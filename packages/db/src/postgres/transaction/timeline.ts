import type pg from 'pg';

/**
 * The history that a server writes. A standby that is promoted begins a new one (PostgreSQL, "Timelines"), in which numbers
 * of transactions that it never heard of are given to others.
 */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

interface TimelineResult {
  rows: { timeline: string }[];
}

const timelines = new WeakMap<pg.Client, string>();

/** Asks for it on a new connection. Where a server cannot tell, there is one history alone. */
export async function keepTimeline(connection: pg.Client): Promise<void> {
  const result = await connection.query(`select ${TIMELINE} as timeline`).catch(() => undefined);
  const timeline = (result as TimelineResult | undefined)?.rows[0]?.timeline;
  if (timeline !== undefined) timelines.set(connection, timeline);
}

export function timelineOf(connection: pg.Client): string | undefined {
  return timelines.get(connection);
}
