import type { Pinger } from './pinger.ts';

export interface KeepAlive {
  /** The live channel that is being watched. */
  contentDefinitionId?: string | undefined;
  /** Whether the user is active. Default: there was input within five minutes. Required outside a page. */
  isActive?: (() => boolean) | undefined;
}

const INTERVAL_MS = 60_000;
const INPUT_WITHIN_MS = 5 * 60_000;
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'];
/** A hidden tab pings later, so that a visible one usually pings first. */
const HIDDEN_LATER_MS = 3000;

/**
 * Pings once a minute while the user is active. Every tab that keeps the session alive has a timer. The first one to
 * fire pings and tells the other tabs, which restart their minute.
 */
export function startKeepAlive(
  { contentDefinitionId, isActive }: KeepAlive,
  { pinger, now, isHidden }: { pinger: Pinger; now: () => number; isHidden: () => boolean },
): { isActive: () => boolean; stop: () => void } {
  const stopping = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  let inputAt = now();
  const isThere = isActive ?? (() => now() - inputAt < INPUT_WITHIN_MS);

  const arm = (ms: number): void => {
    timer = setTimeout(fire, ms + Math.random() * 1000 + (isHidden() ? HIDDEN_LATER_MS : 0));
    (timer as { unref?: () => void }).unref?.();
  };
  const fire = (): void => {
    const leftMs = pinger.lastAt() + INTERVAL_MS - now();
    // Failures are either reported by the session's events or temporary.
    if (leftMs <= 0 && isThere()) pinger.ping(contentDefinitionId).catch(() => {});
    arm(leftMs > 0 ? leftMs : INTERVAL_MS);
  };
  arm(0);
  if (isActive === undefined && typeof document === 'object') {
    const noted = { capture: true, passive: true, signal: stopping.signal };
    for (const input of INPUTS) addEventListener(input, () => (inputAt = now()), noted);
  }
  return {
    isActive: isThere,
    stop: () => {
      clearTimeout(timer);
      stopping.abort();
    },
  };
}
