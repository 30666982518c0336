const MINUTE = 60;
const HOUR = 3600;
const DELAYS_SECONDS = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];
const PATIENCE_SECONDS = 72 * HOUR;

/** A webhook that has had no success for this time is disabled at its next failure. */
export const FAILING_SECONDS = 5 * 24 * HOUR;

/**
 * The time to wait after the `tries`-th failure, in seconds; `undefined` after three days. A receiver can ask for more
 * time (`Retry-After`), up to twelve hours. What an application is told of the end of a session is worth trying for
 * `patienceSeconds` only, and then at least every five minutes.
 */
export function waitAfter(
  {
    tries,
    ageSeconds,
    patienceSeconds = null,
  }: { tries: number; ageSeconds: number; patienceSeconds?: number | null },
  retryAfterSeconds = 0,
  random = Math.random,
): number | undefined {
  if (ageSeconds >= (patienceSeconds ?? PATIENCE_SECONDS)) return undefined;
  const longest = patienceSeconds === null ? (DELAYS_SECONDS.at(-1) ?? 0) : 5 * MINUTE;
  const step = Math.min(DELAYS_SECONDS[Math.max(0, tries - 1)] ?? longest, longest);
  // Random, so that deliveries that failed together are not retried together.
  const wait = Math.max(step * (0.75 + random() / 4), Math.min(retryAfterSeconds, longest));
  return patienceSeconds !== null && ageSeconds + wait >= patienceSeconds ? undefined : wait;
}
