/** The lowest identifier (UUID version 7, RFC 9562 §5.7) of those created at that time or later. */
export function lowestIdAt(moment: Date | number): string {
  const milliseconds = Math.min(Math.max(Number(moment), 0), LAST_MILLISECOND);
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

const LAST_MILLISECOND = 2 ** 48 - 1;

/** An id's time and its row's may differ by so much: clocks differ, and a transaction takes time. */
export const ID_SLACK_MS = 60_000;

/** Ids of version 7 sort by time; this one sorts after all of them. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
