import type { Answer } from '../api/call-api.ts';

export type System = Answer<'GET /admin/system'>;

/** How far the server's clock is before the browser's, in seconds, when the answer came. */
export function clockDifference({ Time }: System, receivedAt: number): number {
  return Math.round((Date.parse(Time) - receivedAt) / 1000);
}

/** Less than this is the way of the answer, and how long it took to be made. */
export const CLOCK_SECONDS_MAX = 5;
