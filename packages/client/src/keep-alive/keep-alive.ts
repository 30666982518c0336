import type { Access } from '../session/access-token.ts';
import type { PingSessionResponse } from '../api/api-types.ts';
import type { StateStore } from '../session/state.ts';
import type { TabMessage, Tabs } from '../session/tabs.ts';

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

/** Once a minute while the user is active. The first timer of all tabs to fire pings, and the others restart. */
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

interface Deps {
  tabs: Tabs;
  state: StateStore;
  now: () => number;
  access: () => Promise<Access>;
  send: (access: Access, contentDefinitionId: string | undefined) => Promise<PingSessionResponse>;
  /** Called if the server says that this session is over. */
  onOver: (sessionId: string, answer: PingSessionResponse) => Promise<void>;
}

/** Pings the server on behalf of all tabs, and reports the status of the session to them. */
export function createPinger({ tabs, state, now, access, send, onOver }: Deps) {
  let lastAt = -Infinity;

  return {
    /** When any tab last pinged, by this machine's clock. */
    lastAt: (): number => lastAt,
    hear: (message: TabMessage): void => {
      if (message.kind !== 'pinged' || message.sessionId !== state.session()?.id) return;
      lastAt = now();
      if (message.isRestricted !== undefined) state.restrict(message.isRestricted);
    },
    async ping(contentDefinitionId?: string): Promise<void> {
      const current = await access();
      const sessionId = current.session.id;
      lastAt = now();
      // Posted before the response arrives, so that no other tab starts a ping.
      tabs.post({ kind: 'pinged', sessionId });
      const answer = await send(current, contentDefinitionId);
      if (answer.PingStatus > 2) return onOver(sessionId, answer);
      if (state.session()?.id !== sessionId) return;
      const isRestricted = answer.PingStatus === 2;
      state.restrict(isRestricted);
      tabs.post({ kind: 'pinged', sessionId, isRestricted });
    },
  };
}

export type Pinger = ReturnType<typeof createPinger>;

/**
 * Reports when a page becomes visible, goes online or returns from the back-forward cache, and when it enters that
 * cache. Timers are not reliable: a tab that was suspended learns it here.
 */
export function onWake({ wake, leave }: { wake: () => void; leave: () => void }): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const seen = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  if (typeof document === 'object') {
    document.addEventListener('visibilitychange', seen, { signal });
    addEventListener('online', seen, { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
    addEventListener('pagehide', leave, { signal });
  }
  return () => listening.abort();
}
