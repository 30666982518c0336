import type { Pinger } from './pinger.ts';

export interface KeepAlive {
  /** Which live channel is being watched. */
  contentDefinitionId?: string | undefined;
  /** Whether somebody is there. By default: there was input within five minutes. */
  isActive?: (() => boolean) | undefined;
}

const INTERVAL_MS = 60_000;
const INPUT_WITHIN_MS = 5 * 60_000;
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'];
/** A hidden tab leaves it to one that is seen, which comes sooner. */
const HIDDEN_LATER_MS = 3000;

/**
 * Pings once a minute for as long as somebody is there. Every tab that keeps the session alive has a timer; whose comes
 * first pings, and says so to the others, which begin their minute anew.
 */
export function startKeepAlive(
  { contentDefinitionId, isActive }: KeepAlive,
  { pinger, now, isHidden }: { pinger: Pinger; now: () => number; isHidden: () => boolean },
): { isActive: () => boolean; stop: () => void } {
  const watched = isActive === undefined ? watchInput(now) : { isActive, stop: () => {} };
  let timer: ReturnType<typeof setTimeout>;

  const arm = (ms: number): void => {
    timer = setTimeout(fire, ms + Math.random() * 1000 + (isHidden() ? HIDDEN_LATER_MS : 0));
    (timer as { unref?: () => void }).unref?.();
  };
  const fire = (): void => {
    const leftMs = pinger.lastAt() + INTERVAL_MS - now();
    if (leftMs > 0) return arm(leftMs);
    // What it fails with is told by the session's events, or passes.
    if (watched.isActive()) pinger.ping(contentDefinitionId).catch(() => {});
    arm(INTERVAL_MS);
  };
  arm(0);
  return {
    isActive: watched.isActive,
    stop: () => {
      clearTimeout(timer);
      watched.stop();
    },
  };
}

/** Whether there was input lately. Without a page there is nobody to wait for. */
function watchInput(now: () => number): { isActive: () => boolean; stop: () => void } {
  if (typeof document === 'undefined') return { isActive: () => true, stop: () => {} };
  let lastAt = now();
  const note = (): void => void (lastAt = now());
  for (const input of INPUTS) addEventListener(input, note, { capture: true, passive: true });
  return {
    isActive: () => now() - lastAt < INPUT_WITHIN_MS,
    stop: () => {
      for (const input of INPUTS) removeEventListener(input, note, { capture: true });
    },
  };
}
