import { createLimiter, QueueFull, Unavailable, type Limiter } from '@gatehouse/runtime';

/**
 * Limits concurrent exports, so that connections to Postgres and memory remain for other requests: an export with a
 * long history needs tens of megabytes.
 */
export function createExportTurns(): Limiter {
  return createLimiter({ width: 2, waitingMax: 10, waitMs: 1000 });
}

/** @throws {Unavailable} if other exports took too long. */
export async function inTurn<T>(turns: Limiter, work: () => Promise<T>): Promise<T> {
  try {
    return await turns(work);
  } catch (error) {
    throw error instanceof QueueFull ? new Unavailable('a turn to export', { cause: error }) : error;
  }
}
