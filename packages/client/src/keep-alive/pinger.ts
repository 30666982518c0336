import type { Access } from '../session/access-token.ts';
import type { PingSessionResponse } from '../api/api-types.ts';
import type { StateStore } from '../session/state.ts';
import type { Tabs, TabMessage } from '../session/tabs.ts';

interface Deps {
  tabs: Tabs;
  state: StateStore;
  now: () => number;
  access: () => Promise<Access>;
  send: (access: Access, contentDefinitionId: string | undefined) => Promise<PingSessionResponse>;
  /** The server says that this session is over; it also says why, when it is asked. */
  onOver: (sessionId: string, answer: PingSessionResponse) => Promise<void>;
}

/** Pings the server for all tabs, and passes on the status of the session. */
export function createPinger({ tabs, state, now, access, send, onOver }: Deps) {
  let lastAt = -Infinity;

  return {
    /** When a tab pinged last, by our clock. */
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
      // Before it is answered, so that no other tab begins one.
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
