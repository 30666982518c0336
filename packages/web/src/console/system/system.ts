import type { Answer } from '../api/call-api.ts';

export type System = Answer<'GET /admin/system'>;

/** How many seconds the server's clock was ahead of the browser's when the answer arrived. */
export function clockDifference({ Time }: System, receivedAt: number): number {
  return Math.round((Date.parse(Time) - receivedAt) / 1000);
}

/** Smaller differences are normal: creating and transferring the answer takes time. */
export const CLOCK_SECONDS_MAX = 5;
