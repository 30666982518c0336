import { createLimiter, QueueFull, Unavailable, type Limiter } from '@gatehouse/runtime';

/**
 * However many exports are asked for, connections to Postgres are left for everybody else, and memory: one takes tens of
 * megabytes where the history is long.
 */
export function createExportTurns(): Limiter {
  return createLimiter({ width: 2, waitingMax: 10, waitMs: 1000 });
}

/** @throws {Unavailable} when others took too long. */
export async function inTurn<T>(turns: Limiter, work: () => Promise<T>): Promise<T> {
  try {
    return await turns(work);
  } catch (error) {
    throw error instanceof QueueFull ? new Unavailable('a turn to export', { cause: error }) : error;
  }
}
