const HOUR = 3600;
const DELAYS_SECONDS = [10, 30, 60, 120, 300, 600, 1200, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
/** A mail server that is down for everybody is asked more often: it costs one connection and no one's patience. */
const UNREACHABLE_DELAY_MAX_SECONDS = 300;

/**
 * How long to wait after the `tries`-th failure, in seconds; `undefined` when it is time to give up: after
 * twelve tries and most of a day, or three days when nobody's mail could be sent.
 */
export function waitAfter(
  failure: 'deferred' | 'unreachable',
  mail: { tries: number; ageSeconds: number },
  random = Math.random,
): number | undefined {
  const patienceSeconds = failure === 'deferred' ? 16 * HOUR : 72 * HOUR;
  if (mail.tries >= DELAYS_SECONDS.length && mail.ageSeconds >= patienceSeconds) return undefined;
  const step = DELAYS_SECONDS[Math.min(mail.tries, DELAYS_SECONDS.length) - 1] ?? DELAYS_SECONDS[0] ?? 0;
  const delay = failure === 'unreachable' ? Math.min(step, UNREACHABLE_DELAY_MAX_SECONDS) : step;
  // Spread, so that what failed together does not come back together.
  return delay * (0.75 + random() / 4);
}
