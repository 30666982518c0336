import type { Access, GivenTokens } from './access-token.ts';
import { endingOf } from './ending.ts';
import { GatehouseError, ownError } from './gatehouse-error.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { TabMessage } from './tabs.ts';
import type { KeptSession } from './token-storage.ts';
import { retryDelayMs } from './with-retries.ts';

interface Deps {
  keeper: SessionKeeper;
  now: () => number;
  /** Asks the server, once. */
  exchange: (session: KeptSession) => Promise<GivenTokens>;
}

/** How long an announcement takes to be heard, and answered by whoever has newer tokens. */
const HEARD_MS = 60;
const PATIENCE_MS = 1000;
const TRIES_MAX = 3;

/**
 * Gets new tokens, once for all tabs as a rule. There is no lock that a tab could die with: tabs say that they are about
 * to ask, one of them does, and the others wait a second for its word before they ask too. It does no harm when several
 * ask at once: for a while the server gives all of them the same successor (docs/sessions.md, Refresh).
 */
export function createRefresher({ keeper, now, exchange }: Deps) {
  let inFlight: Promise<Access> | undefined;
  let rival: { tab: string; at: number } | undefined;
  const { tabs } = keeper;

  const newerThan = (counter: number): Access | undefined => {
    const access = keeper.access();
    return access !== undefined && keeper.accessCounter() > counter && keeper.isUsable(access)
      ? access
      : undefined;
  };
  const rivalMs = (): number => (rival === undefined ? 0 : rival.at + PATIENCE_MS - now());

  /** Tokens that another tab has, or gets. */
  async function fromOthers(had: number): Promise<Access | undefined> {
    if (!tabs.id) return undefined;
    if (rivalMs() <= 0) {
      tabs.post({ kind: 'refreshing', tab: tabs.id, counter: had });
      await keeper.news(HEARD_MS);
      // Both have announced it: the lesser goes on.
      if (newerThan(had) !== undefined || rival === undefined || rival.tab > tabs.id) return newerThan(had);
    }
    if (rivalMs() > 0) await keeper.news(rivalMs() + Math.random() * HEARD_MS);
    return newerThan(had);
  }

  async function fromServer(had: number): Promise<Access> {
    for (let tries = 1; ; tries += 1) {
      const session = await readNow();
      let given: GivenTokens;
      try {
        given = await exchange(session);
      } catch (error) {
        const newer = newerThan(had);
        if (newer !== undefined) return newer;
        if (!(error instanceof GatehouseError)) throw error;
        const ending = endingOf(error);
        if (ending !== undefined) {
          // Another tab has stored newer tokens meanwhile: these decide.
          const isOutdated = (await keeper.read())?.refreshToken !== session.refreshToken;
          if (isOutdated && tries < TRIES_MAX) continue;
          await keeper.end(session.id, ending);
          throw error;
        }
        const waitMs = retryDelayMs(error.status, error.retryAfterSeconds, tries);
        if (waitMs === undefined) throw error;
        await keeper.news(waitMs);
        const heard = newerThan(had);
        if (heard !== undefined) return heard;
        continue;
      }
      return keeper.renew(session.id, given);
    }
  }

  /** What is stored this very moment: a tab may have slept for hours while it was reading. */
  async function readNow(): Promise<KeptSession> {
    for (;;) {
      const begunAt = now();
      const session = await keeper.read();
      if (session === undefined) throw ownError('signed_out');
      if (now() - begunAt < PATIENCE_MS) return session;
    }
  }

  return {
    hear: (message: TabMessage): void => {
      if (message.kind !== 'refreshing') return;
      // Of all that have announced it, the least.
      if (rival === undefined || rivalMs() <= 0 || message.tab < rival.tab)
        rival = { tab: message.tab, at: now() };
    },
    /** New tokens, from another tab or from the server; calls at the same time share one. */
    refresh: (): Promise<Access> => {
      const had = keeper.accessCounter();
      inFlight ??= fromOthers(had)
        .then((access) => access ?? fromServer(had))
        .finally(() => {
          inFlight = rival = undefined;
        });
      return inFlight;
    },
    /** What the server says of the session now. */
    ask: (): Promise<Access> => fromServer(keeper.accessCounter()),
  };
}
