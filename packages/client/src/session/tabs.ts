import type { Access } from './access-token.ts';
import type { Ending } from './ending.ts';

/** The messages between the tabs of an origin. */
export type TabMessage =
  /** The tokens of the current session. `counter` (here and below): the counter with which they were stored. */
  | { kind: 'tokens'; access: Access; counter: number }
  | { kind: 'ended'; sessionId: string; ending: Ending; counter: number }
  /** Asks the other tabs for newer tokens. */
  | { kind: 'who'; counter: number }
  /** A ping was sent, or answered. */
  | { kind: 'pinged'; sessionId: string; isRestricted?: boolean }
  /** The session stream. `asked`: which tab has it? `here`: this tab has it. `gone`: this tab no longer has it. */
  | {
      kind: 'stream';
      word: 'asked' | 'here' | 'gone';
      tab: string;
      sessionId: string;
      isRestricted: boolean;
    };

export type Tabs = ReturnType<typeof joinTabs>;

/** @param name the name of the channel between the tabs; if empty, this tab has none. */
export function joinTabs(name: string, hear: (message: TabMessage) => void) {
  let channel: BroadcastChannel | undefined;
  const open = (): void => {
    if (!name || channel !== undefined) return;
    channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => hear(data));
    // Otherwise the open channel would keep Node running.
    (channel as { unref?: () => void }).unref?.();
  };
  open();
  return {
    /** Unique per tab. Empty if this tab has no channel to others. */
    id: name && Math.random().toString(36).slice(2),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
    post: (message: TabMessage): void => channel?.postMessage(message),
    /** Leaves the channel, as pages in the back-forward cache must; `open` joins it again. */
    close: () => {
      channel?.close();
      channel = undefined;
    },
    open,
  };
}
