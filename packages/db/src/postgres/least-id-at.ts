/** The least identifier (UUID version 7, RFC 9562 §5.7) of a moment: those made at it or later are not below it. */
export function leastIdAt(moment: Date | number): string {
  const milliseconds = Math.min(Math.max(Number(moment), 0), LAST_MILLISECOND);
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** 48 bits hold the time. */
const LAST_MILLISECOND = 2 ** 48 - 1;

/**
 * What an identifier's time may differ by from the moment that its row says it was made at: processes' clocks differ
 * from the database's, and a transaction takes its time.
 */
export const ID_SLACK_MS = 60_000;
