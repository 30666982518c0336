/**
 * The lowest identifier (UUID version 7, RFC 9562 §5.7) of a time: identifiers created at that time or later are not
 * lower.
 */
export function lowestIdAt(moment: Date | number): string {
  const milliseconds = Math.min(Math.max(Number(moment), 0), LAST_MILLISECOND);
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The time has 48 bits. */
const LAST_MILLISECOND = 2 ** 48 - 1;

/**
 * How much the time in an identifier may differ from the creation time in its row: processes' clocks differ from the
 * database's clock, and a transaction takes some time.
 */
export const ID_SLACK_MS = 60_000;

/** Ids of version 7 sort by time; this one sorts after all of them. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
