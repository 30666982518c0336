const HOUR = 3600;
const TRIES_MIN = 12;
/**
 * If no mail can be sent, it is tried more often: this costs only one connection. The first delay is short: an outage
 * that is over before it is noticed delays mails by much less than ten seconds.
 */
const DELAYS_SECONDS = {
  deferred: [10, 30, 60, 120, 300, 600, 1200, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR],
  unreachable: [5, 30, 60, 120, 300],
};

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
  if (mail.tries >= TRIES_MIN && mail.ageSeconds >= patienceSeconds) return undefined;
  const delays = DELAYS_SECONDS[failure];
  const delay = delays[Math.min(mail.tries, delays.length) - 1] ?? 0;
  // Random, so that mails that failed together are not retried together.
  return delay * (0.75 + random() / 4);
}
