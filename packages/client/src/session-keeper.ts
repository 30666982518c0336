import { marginMs, readAccessToken, type Access } from './access-token.ts';
import type { Ending } from './ending.ts';
import { superseded } from './gatehouse-error.ts';
import type { StateStore } from './state.ts';
import { joinTabs, noTabs, type TabMessage } from './tabs.ts';
import type { Kept, KeptSession, TokenStorage } from './token-storage.ts';

/** What the server gave. */
export interface GivenTokens {
  token: string;
  refreshToken: string;
  /** When they were asked for, by this machine's clock. */
  askedAt: number;
}

interface Deps {
  storage: TokenStorage;
  state: StateStore;
  now: () => number;
  /** The name under which tabs find each other; without one the page is on its own. */
  channel: string | undefined;
  /** Hears what concerns others. */
  hear: (message: TabMessage) => void;
  /** There are new tokens, from wherever. */
  onTokens: (access: Access) => void;
}

const ANSWER_WITHIN_MS = 20;
/** The storage was emptied, by the browser or its user. */
const GONE: Ending = { reason: 'logged-out' };

/**
 * Keeps this tab's idea of the session in step with what is stored and with what other tabs say. Everything that is stored
 * has a counter; what comes with a lesser one than is known here is late, and dropped.
 */
export function createSessionKeeper({ storage, state, now, channel, hear, onTokens }: Deps) {
  let access: Access | undefined;
  /** Of the storing that `access` came with; 0 without one. */
  let accessCounter = 0;
  /** The greatest that was heard of. */
  let known = 0;
  const waiting = new Set<() => void>();
  const tabs = channel === undefined ? noTabs() : joinTabs(channel, onMessage);

  /** Also rises when somebody has emptied the storage. */
  const nextCounter = (kept: Kept | undefined): number =>
    Math.max((kept?.counter ?? 0) + 1, known + 1, now());
  const isUsable = (one: Access): boolean => one.expiresAt - now() > marginMs(one);

  function onMessage(message: TabMessage): void {
    switch (message.kind) {
      case 'tokens':
        return adopt(message.access, message.counter, message.provider);
      case 'ended':
        return reconcile({ counter: message.counter, ended: message });
      case 'who':
        return answer(message.counter);
      case 'refreshing':
        answer(message.counter);
        return hear(message);
      case 'pinged':
        return hear(message);
    }
  }

  /** Tells the tokens to a tab that has older ones, unless another tab does. */
  function answer(than: number): void {
    if (accessCounter <= than) return;
    whenNews(Math.random() * ANSWER_WITHIN_MS, (isNews) => {
      if (!isNews && access !== undefined && isUsable(access)) share();
    });
  }

  function whenNews(withinMs: number, then: (isNews: boolean) => void): void {
    const done = (isNews: boolean): void => {
      clearTimeout(timer);
      waiting.delete(news);
      then(isNews);
    };
    const news = (): void => done(true);
    const timer = setTimeout(done, withinMs, false);
    waiting.add(news);
  }

  function share(): void {
    if (access === undefined) return;
    tabs.post({ kind: 'tokens', access, counter: accessCounter, provider: state.session()?.provider });
  }

  function adopt(next: Access, counter: number, provider: string | undefined): void {
    if (counter < known) return;
    known = accessCounter = counter;
    access = next;
    signInAs({ id: next.sessionId, accountId: next.accountId, role: next.role, provider });
    for (const news of waiting) news();
    onTokens(next);
  }

  function signInAs({ id, accountId, role, provider }: Omit<KeptSession, 'refreshToken' | 'issuedAt'>): void {
    if (state.session()?.id === id) return;
    state.signIn({ id, accountId, role, provider, isRestricted: false });
  }

  function forget(ending: Ending | undefined): void {
    access = undefined;
    accessCounter = 0;
    if (state.get().kind !== 'signed-out') state.signOut(ending);
  }

  /** Takes over what is stored, or what another tab says is. */
  function reconcile(kept: Kept | undefined): void {
    if (kept !== undefined && kept.counter < known) return;
    known = kept?.counter ?? known;
    const current = state.session()?.id;
    if (kept?.session === undefined) {
      const ended = kept?.ended;
      return forget(ended?.sessionId === current ? ended?.ending : GONE);
    }
    if (kept.session.id !== access?.sessionId) [access, accessCounter] = [undefined, 0];
    signInAs(kept.session);
  }

  const read = async (): Promise<KeptSession | undefined> => {
    const kept = await storage.read();
    reconcile(kept);
    return kept?.session;
  };

  return {
    tabs,
    isUsable,
    read,
    access: (): Access | undefined => access,
    accessCounter: (): number => accessCounter,
    known: (): number => known,
    /** Waits for tokens from another tab. */
    news: (withinMs: number): Promise<boolean> => new Promise((resolve) => whenNews(withinMs, resolve)),

    /**
     * Stores a new session, and tells the other tabs.
     *
     * @param since what was known when the login began: of two logins at once in two tabs, the later session stays.
     * @throws {GatehouseError} `superseded`.
     */
    async open(given: GivenTokens, since: number, provider?: string): Promise<void> {
      const next = readAccessToken(given.token, given.askedAt);
      const { sessionId: id, accountId, role, issuedAt } = next;
      const session = { id, accountId, role, provider, refreshToken: given.refreshToken, issuedAt };
      const kept = await storage.update((before) =>
        before?.session !== undefined && before.counter > since && before.session.id > id
          ? before
          : { counter: nextCounter(before), session },
      );
      if (kept?.session?.id !== id) throw superseded();
      adopt(next, kept.counter, provider);
      share();
    },

    /**
     * Stores what a refresh gave, and tells the other tabs. The session is another one by now, or none: it is dropped. Of
     * two refreshes whose answers overtook each other, the one that the server made later stays.
     *
     * @throws {GatehouseError} `superseded`.
     */
    async renew(sessionId: string, given: GivenTokens): Promise<Access> {
      const next = readAccessToken(given.token, given.askedAt);
      const { role, issuedAt } = next;
      const kept = await storage.update((before) =>
        before?.session?.id !== sessionId || before.session.issuedAt > issuedAt
          ? before
          : {
              counter: nextCounter(before),
              session: { ...before.session, role, issuedAt, refreshToken: given.refreshToken },
            },
      );
      if (kept?.session?.id !== sessionId) {
        reconcile(kept);
        throw superseded();
      }
      adopt(next, kept.counter, kept.session.provider);
      share();
      return next;
    },

    /** Forgets a session that is over, in all tabs. */
    async end(sessionId: string, ending: Ending): Promise<void> {
      const kept = await storage.update((before) =>
        before?.session?.id === sessionId
          ? { counter: nextCounter(before), ended: { sessionId, ending } }
          : before,
      );
      reconcile(kept);
      if (kept?.ended?.sessionId !== sessionId) return;
      tabs.post({ kind: 'ended', sessionId, ending, counter: kept.counter });
    },
  };
}

export type SessionKeeper = ReturnType<typeof createSessionKeeper>;
