import type pg from 'pg';

/**
 * The history that a server writes. A promoted standby begins a new one (PostgreSQL, "Timelines"), in which it may
 * reuse the ids of transactions that it never received.
 */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

interface TimelineResult {
  rows: { timeline: string }[];
}

const timelines = new WeakMap<pg.Client, string>();

/**
 * Queries and stores the timeline of a new connection. A server that cannot report it is treated as having only one.
 */
export async function keepTimeline(connection: pg.Client): Promise<void> {
  const result = await connection.query(`select ${TIMELINE} as timeline`).catch(() => undefined);
  const timeline = (result as TimelineResult | undefined)?.rows[0]?.timeline;
  if (timeline !== undefined) timelines.set(connection, timeline);
}

export function timelineOf(connection: pg.Client): string | undefined {
  return timelines.get(connection);
}
