import type { Access } from './access-token.ts';
import type { Ending } from './ending.ts';

/** What the tabs of an origin tell each other. */
export type TabMessage =
  /** Tokens of the session that is signed in. `counter`: that of their storing, here and below. */
  | { kind: 'tokens'; access: Access; counter: number }
  | { kind: 'ended'; sessionId: string; ending: Ending; counter: number }
  /** Asks the other tabs for newer tokens. */
  | { kind: 'who'; counter: number }
  /** A ping is on its way, or was answered. */
  | { kind: 'pinged'; sessionId: string; isRestricted?: boolean }
  /** Which tab has the stream: who does is asked, this one does, or it does not any more. */
  | {
      kind: 'stream';
      word: 'asked' | 'here' | 'gone';
      tab: string;
      sessionId: string;
      isRestricted: boolean;
    };

export interface Tabs {
  /** One of a kind. Empty where a page is on its own. */
  id: string;
  post(message: TabMessage): void;
  /** Lets go, as a page that browsers put aside must; `open` takes it up again. */
  close(): void;
  open(): void;
}

/** @param name of the channel by which tabs find each other; without one, this tab is on its own. */
export function joinTabs(name: string, hear: (message: TabMessage) => void): Tabs {
  let channel: BroadcastChannel | undefined;
  const open = (): void => {
    if (!name || channel !== undefined) return;
    channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => hear(data));
    // Node would live for as long as it listens.
    (channel as { unref?: () => void }).unref?.();
  };
  open();
  return {
    id: name && Math.random().toString(36).slice(2),
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
    post: (message) => channel?.postMessage(message),
    close: () => {
      channel?.close();
      channel = undefined;
    },
    open,
  };
}
