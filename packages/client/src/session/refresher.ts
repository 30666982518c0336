import type { Access, IssuedTokens } from './access-token.ts';
import { endingOf } from './ending.ts';
import { ownError, type GatehouseError } from '../api/gatehouse-error.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Kept, KeptSession } from './token-storage.ts';
import { retryDelayMs } from '../api/with-retries.ts';

interface Deps {
  keeper: SessionKeeper;
  now: () => number;
  /** Asks the server, once. */
  exchange: (session: KeptSession) => Promise<IssuedTokens>;
}

/** Whose turn it is: another tab's, which gave its tokens, or this one's. */
type Turn = { kind: 'given'; access: Access } | { kind: 'mine'; session: KeptSession };

/** How long to wait for other tabs to answer with newer tokens. */
const HEARD_MS = 60;
/** How long the tab that asks the server is left alone with that; the next one twice as long, while nobody is answered. */
const PATIENCE_MS = 1000;
const PATIENCE_MAX_MS = 8000;
const WAITS_MAX = 4;
const TRIES_MAX = 3;

/**
 * Gets new tokens, once for all tabs. There is no lock that could outlive its tab: the tab that is about to ask the
 * server records that with the tokens, and for a second the others leave it to that tab; then the next one tries.
 * Several requests at once are harmless: for a while the server gives all of them the same successor
 * (docs/sessions.md, Refresh).
 */
export function createRefresher({ keeper, now, exchange }: Deps) {
  let inFlight: Promise<Access> | undefined;
  const { tabs } = keeper;

  const newerThan = (counter: number): Access | undefined => {
    const access = keeper.access();
    return access !== undefined && keeper.accessCounter() > counter && keeper.isUsable(access)
      ? access
      : undefined;
  };

  /** Waits until this tab is to ask, or need not any more. */
  async function turn(had: number): Promise<Turn> {
    let hasAskedTabs = !tabs.id;
    let waits = 0;
    const isLeft = (kept: Kept): boolean =>
      kept.asking?.tab !== tabs.id && leftMs(kept) > 0 && waits < WAITS_MAX;
    const isMine = (kept: Kept): boolean => (hasAskedTabs || kept.counter <= had) && !isLeft(kept);
    const announced = (kept: Kept): Kept => {
      const { asking } = kept;
      // Once for all of its tries, so that another tab has its turn where they are in vain.
      if (!isMine(kept) || (asking?.tab === tabs.id && leftMs(kept) > 0)) return kept;
      const forMs = asking === undefined ? PATIENCE_MS : Math.min(asking.forMs * 2, PATIENCE_MAX_MS);
      return { ...kept, asking: { tab: tabs.id, at: now(), forMs } };
    };

    for (;;) {
      const begunAt = now();
      const kept = await keeper.announce(announced);
      const access = newerThan(had);
      if (access !== undefined) return { kind: 'given', access };
      if (kept?.session === undefined) throw ownError('signed_out');
      // A tab may have slept for hours in there.
      if (now() - begunAt >= PATIENCE_MS) continue;
      if (isMine(kept)) return { kind: 'mine', session: kept.session };
      if (isLeft(kept)) {
        waits += 1;
        await keeper.news(leftMs(kept) + Math.random() * HEARD_MS);
        continue;
      }
      // Another tab has stored newer tokens, and this one has not heard of them: it slept, or the machine is busy.
      hasAskedTabs = true;
      tabs.post({ kind: 'who', counter: had });
      await keeper.news(isFresh(kept) ? PATIENCE_MS : HEARD_MS);
    }
  }
  /** How much longer to wait for the tab that is refreshing; a clock that was set back never lengthens the wait. */
  const leftMs = ({ asking }: Kept): number => {
    if (asking === undefined || asking.at > now()) return 0;
    return asking.at + asking.forMs - now();
  };
  /** Whether tokens that were stored then are still good, by those that this tab has. A counter is no less than its time. */
  const isFresh = ({ counter }: Kept): boolean => counter + (keeper.access()?.lifetimeMs ?? 0) > now();

  async function renewed(had: number): Promise<Access> {
    for (let tries = 1; ; tries += 1) {
      const next = await turn(had);
      if (next.kind === 'given') return next.access;
      const { session } = next;
      let given: IssuedTokens;
      try {
        given = await exchange(session);
      } catch (error) {
        const newer = newerThan(had);
        if (newer !== undefined) return newer;
        const refusal = error as GatehouseError; // anything else has no status, and is thrown on
        const ending = endingOf(refusal);
        if (ending !== undefined) {
          // Another tab has stored newer tokens meanwhile: these decide.
          const isOutdated = (await keeper.read())?.refreshToken !== session.refreshToken;
          if (isOutdated && tries < TRIES_MAX) continue;
          await keeper.end(session.id, ending);
          throw error;
        }
        const waitMs = retryDelayMs(refusal.status, refusal.retryAfterSeconds, tries);
        if (waitMs === undefined) throw error;
        await keeper.news(waitMs);
        continue;
      }
      return keeper.renew(session.id, given);
    }
  }

  return {
    /** New tokens, from another tab or from the server; calls at the same time share one. */
    refresh: (): Promise<Access> => {
      inFlight ??= renewed(keeper.accessCounter()).finally(() => {
        inFlight = undefined;
      });
      return inFlight;
    },
  };
}
