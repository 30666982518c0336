import { marginMs, readAccessToken, type Access, type IssuedTokens } from './access-token.ts';
import type { Ending } from './ending.ts';
import { ownError } from '../api/gatehouse-error.ts';
import type { StateStore } from './state.ts';
import { joinTabs, type TabMessage } from './tabs.ts';
import type { Kept, KeptSession, TokenStorage } from './token-storage.ts';

interface Deps {
  storage: TokenStorage;
  state: StateStore;
  now: () => number;
  /** The name of the channel between tabs; empty if this page does not share its session. */
  channel: string;
  /** Receives the messages of other tabs. */
  hear: (message: TabMessage) => void;
  /** Called with new tokens, from the server or another tab. */
  onTokens: (access: Access) => void;
}

const ANSWER_WITHIN_MS = 20;
/** The ending if the browser or its user has cleared the storage. */
const GONE: Ending = { reason: 'logged-out' };

/**
 * Keeps this tab's view of the session consistent with the storage and with the messages of other tabs. Every stored
 * change has a counter. A change with a lower counter than the known one is out of date, and ignored.
 */
export function createSessionKeeper({ storage, state, now, channel, hear, onTokens }: Deps) {
  let access: Access | undefined;
  /** The counter with which `access` was stored; 0 if there is no token. */
  let accessCounter = 0;
  /** The highest counter known to this tab. */
  let known = 0;
  const waiting = new Set<() => void>();
  const tabs = joinTabs(channel, onMessage);

  /** Also increases if the storage has been cleared. */
  const nextCounter = (kept: Kept | undefined): number =>
    Math.max((kept?.counter ?? 0) + 1, known + 1, now());
  const isUsable = (one: Access): boolean => one.expiresAt - now() > marginMs(one);

  function onMessage(message: TabMessage): void {
    switch (message.kind) {
      case 'tokens':
        return adopt(message.access, message.counter);
      case 'ended':
        return reconcile({ counter: message.counter, ended: message });
      case 'who':
        return answer(message.counter);
      case 'pinged':
      case 'stream':
        return hear(message);
    }
  }

  /** Sends the tokens to a tab that has older ones, unless another tab does it first. */
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
    if (access !== undefined) tabs.post({ kind: 'tokens', access, counter: accessCounter });
  }

  function adopt(next: Access, counter: number): void {
    if (counter < known) return;
    known = accessCounter = counter;
    access = next;
    state.signIn(next.session);
    for (const news of waiting) news();
    onTokens(next);
  }

  /** Updates this tab to the stored state, or to the state that another tab has reported. */
  function reconcile(kept: Kept | undefined): void {
    if (kept !== undefined && kept.counter < known) return;
    known = kept?.counter ?? known;
    const { session, ended } = kept ?? {};
    if (access !== undefined && session?.id !== access.session.id) [access, accessCounter] = [undefined, 0];
    if (session !== undefined) return state.signIn(session);
    state.signOut(ended?.sessionId === state.session()?.id ? ended?.ending : GONE);
    for (const news of waiting) news();
  }

  /** Stores tokens, unless `isToStay` keeps the stored ones. */
  async function store(
    next: Access,
    { refreshToken }: IssuedTokens,
    isToStay: (before: Kept | undefined) => boolean,
  ): Promise<void> {
    const { session, issuedAt } = next;
    const kept = await storage.update((before) =>
      isToStay(before)
        ? before
        : { counter: nextCounter(before), session: { ...session, refreshToken, issuedAt } },
    );
    if (kept?.session?.id !== session.id) {
      reconcile(kept);
      throw ownError('superseded');
    }
    // Another tab has newer tokens of the same session.
    if (kept.session.issuedAt > issuedAt) return;
    adopt(next, kept.counter);
    share();
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
    /** Waits for tokens from another tab, or for the end of the session. */
    news: (withinMs: number): Promise<boolean> => new Promise((resolve) => whenNews(withinMs, resolve)),

    /** Reads the stored state. If there is a session, stores the change that `announce` returns. */
    async announce(announce: (kept: Kept) => Kept): Promise<Kept | undefined> {
      const change = (kept: Kept | undefined) => (kept?.session === undefined ? kept : announce(kept));
      let kept = await storage.read();
      if (change(kept) !== kept) kept = await storage.update(change);
      reconcile(kept);
      return kept;
    },

    /**
     * Stores a new session, and tells the other tabs.
     *
     * @param since the known counter when the login began: of concurrent logins in two tabs, the later session stays.
     * @throws {GatehouseError} `superseded`.
     */
    async open(given: IssuedTokens, since: number): Promise<void> {
      const next = readAccessToken(given);
      const { id } = next.session;
      await store(
        next,
        given,
        (before) => Number(before?.counter) > since && (before?.session?.id ?? '') > id,
      );
    },

    /**
     * Stores refreshed tokens, and tells the other tabs. They are dropped if the session has ended or was replaced.
     * If the responses of two refreshes overtook each other, the tokens that the server issued later are kept.
     *
     * @throws {GatehouseError} `superseded`.
     */
    async renew(sessionId: string, given: IssuedTokens): Promise<Access> {
      const next = readAccessToken(given);
      await store(
        next,
        given,
        (before) => before?.session?.id !== sessionId || before.session.issuedAt > next.issuedAt,
      );
      return next;
    },

    /** Removes a session that is over, in all tabs. */
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
