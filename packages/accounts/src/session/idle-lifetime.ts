import type { AccountsDeps } from '../deps.ts';

/**
 * The delay with which Postgres learns when a session was last seen, in seconds: a quarter of the idle lifetime, at
 * most 5.
 */
export function lastSeenDelaySeconds(idleSeconds: number): number {
  return Math.min(5, idleSeconds / 4);
}

/** The idle lifetime, as far as Postgres knows when a session was last seen. */
export function idleSecondsIn({
  SESSION_IDLE_SECONDS,
}: Pick<AccountsDeps['settings'], 'SESSION_IDLE_SECONDS'>): number {
  return SESSION_IDLE_SECONDS + lastSeenDelaySeconds(SESSION_IDLE_SECONDS);
}
