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
