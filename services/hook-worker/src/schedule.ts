const MINUTE = 60;
const HOUR = 3600;
const DELAYS_SECONDS = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 12 * HOUR];
const PATIENCE_SECONDS = 72 * HOUR;

/** A webhook that has had no success for this time is disabled at its next failure. */
export const FAILING_SECONDS = 5 * 24 * HOUR;

/**
 * The time to wait after the `tries`-th failure, in seconds; `undefined` after three days. A receiver can ask for more
 * time (`Retry-After`), up to twelve hours.
 */
export function waitAfter(
  { tries, ageSeconds }: { tries: number; ageSeconds: number },
  retryAfterSeconds = 0,
  random = Math.random,
): number | undefined {
  if (ageSeconds >= PATIENCE_SECONDS) return undefined;
  const longest = DELAYS_SECONDS.at(-1) ?? 0;
  const step = DELAYS_SECONDS[Math.max(0, tries - 1)] ?? longest;
  // Random, so that deliveries that failed together are not retried together.
  return Math.max(step * (0.75 + random() / 4), Math.min(retryAfterSeconds, longest));
}
