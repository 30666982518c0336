import type { Access } from './access-token.ts';

const TRY_AGAIN_MS = 10_000;
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Renews tokens when four fifths of their life are over, a little sooner or later so that tabs do not come at once.
 * It is a hint, for a sleeping tab misses it: whoever uses a token looks at the clock.
 */
export function createRenewalTimer({
  now,
  isWanted,
  renew,
}: {
  now: () => number;
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
      const leftMs = expiresAt - now();
      after(leftMs - lifetimeMs * (0.15 + Math.random() / 10));
    },
    stop: (): void => clearTimeout(timer),
  };
}
