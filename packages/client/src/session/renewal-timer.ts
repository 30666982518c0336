import type { Access } from './access-token.ts';

const TRY_AGAIN_MS = 10_000;
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Renews tokens in the last sixth of their life, each tab at a moment of its own: the first does it for all, and the
 * others begin anew. It is a hint, for a sleeping tab misses it: whoever uses a token looks at the clock.
 */
export function createRenewalTimer({
  now,
  isHidden,
  isWanted,
  renew,
}: {
  now: () => number;
  isHidden: () => boolean;
  /** A page that nobody sees is not renewed: a session is to end when nobody is there. */
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
    // What ends the session is told by its events; everything else passes.
    if (isWanted()) renew().catch(() => after(TRY_AGAIN_MS));
  };
  return {
    arm: ({ expiresAt, lifetimeMs }: Access): void => {
      // Those that are seen go first.
      const share = isHidden() ? 0.09 : 0.16 - Math.random() * 0.06;
      after(expiresAt - now() - lifetimeMs * share);
    },
    stop: (): void => clearTimeout(timer),
  };
}
