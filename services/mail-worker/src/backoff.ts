const HOUR = 3600;
const DELAYS_SECONDS = [10, 30, 60, 120, 300, 600, 1200, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR];
/** If the mail server is down for all mails, it is tried more often: this costs only one connection. */
const UNREACHABLE_DELAY_MAX_SECONDS = 300;

/**
 * The time to wait after the `tries`-th failure, in seconds. `undefined` when it is time to give up: after twelve
 * tries and 16 hours, or after three days if the mail server could not be reached.
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
  // Random, so that mails that failed together are not retried together.
  return delay * (0.75 + random() / 4);
}
