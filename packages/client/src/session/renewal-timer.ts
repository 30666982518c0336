import type { Access } from './access-token.ts';

const TRY_AGAIN_MS = 10_000;
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Renews tokens in the last sixth of their life, each tab at a different time: the first tab renews for all, and the
 * others reschedule. The timer alone is not reliable, because a suspended tab misses it: every use of a token checks
 * the clock.
 */
export function createRenewalTimer({
  now,
  isHidden,
  isWanted,
  renew,
}: {
  now: () => number;
  isHidden: () => boolean;
  /** Whether to renew. A hidden tab renews only while it keeps the session alive, so that unused sessions expire. */
  isWanted: () => boolean;
  renew: () => Promise<unknown>;
}) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  const after = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(fire, Math.min(Math.max(ms, 0), TIMER_MAX_MS));
    (timer as { unref?: () => void }).unref?.();
  };
  const fire = (): void => {
    // Events report the end of the session; other failures are temporary.
    if (isWanted()) renew().catch(() => after(TRY_AGAIN_MS));
  };
  return {
    arm: ({ expiresAt, lifetimeMs }: Access): void => {
      // Visible tabs renew first.
      const share = isHidden() ? 0.09 : 0.16 - Math.random() * 0.06;
      after(expiresAt - now() - lifetimeMs * share);
    },
    stop: (): void => clearTimeout(timer),
  };
}
