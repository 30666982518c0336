import type { Access, IssuedTokens } from './access-token.ts';
import { endingOf } from './ending.ts';
import { ownError, type GatehouseError } from '../api/gatehouse-error.ts';
import type { SessionKeeper } from './session-keeper.ts';
import type { Kept, KeptSession } from './token-storage.ts';
import { retryDelayMs } from '../api/send-json.ts';

interface Deps {
  keeper: SessionKeeper;
  now: () => number;
  /** Exchanges the refresh token at the server, with a single request. */
  exchange: (session: KeptSession) => Promise<IssuedTokens>;
}

/** `given`: another tab has shared new tokens. `mine`: this tab must refresh. */
type Turn = { kind: 'given'; access: Access } | { kind: 'mine'; session: KeptSession };

/** How long to wait for other tabs to answer with newer tokens. */
const HEARD_MS = 60;
/** How long the other tabs wait for the tab that asks the server. Doubles for each next tab until one succeeds. */
const PATIENCE_MS = 1000;
const PATIENCE_MAX_MS = 8000;
const WAITS_MAX = 4;
const TRIES_MAX = 3;

/**
 * Gets new tokens, once for all tabs. It uses no lock, which could outlive its tab: the tab that is about to ask the
 * server records that next to the tokens, and the others wait a second for it. Then the next tab tries. Several
 * requests at once are harmless: for a while the server returns the same successor to all of them
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

  /** Waits until this tab must refresh, or another tab has shared new tokens. */
  async function turn(had: number): Promise<Turn> {
    let hasAskedTabs = !tabs.id;
    let waits = 0;
    const isLeft = (kept: Kept): boolean =>
      kept.asking?.tab !== tabs.id && leftMs(kept) > 0 && waits < WAITS_MAX;
    const isMine = (kept: Kept): boolean => (hasAskedTabs || kept.counter <= had) && !isLeft(kept);
    const announced = (kept: Kept): Kept => {
      const { asking } = kept;
      // Recorded once for all tries of this tab, so that another tab gets its turn if they fail.
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
      // The tab may have been suspended for hours during the call above.
      if (now() - begunAt >= PATIENCE_MS) continue;
      if (isMine(kept)) return { kind: 'mine', session: kept.session };
      if (isLeft(kept)) {
        waits += 1;
        await keeper.news(leftMs(kept) + Math.random() * HEARD_MS);
        continue;
      }
      // Another tab has stored newer tokens. This tab missed the message: it was suspended, or the machine is busy.
      hasAskedTabs = true;
      tabs.post({ kind: 'who', counter: had });
      await keeper.news(isFresh(kept) ? PATIENCE_MS : HEARD_MS);
    }
  }
  /** The remaining wait for the tab that is refreshing. A clock that was set back never lengthens it. */
  const leftMs = ({ asking }: Kept): number => {
    if (asking === undefined || asking.at > now()) return 0;
    return asking.at + asking.forMs - now();
  };
  /** By the lifetime of this tab's tokens; a counter is never less than the time at which it was stored. */
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
        const refusal = error as GatehouseError; // other errors have no status, and are rethrown
        const ending = endingOf(refusal);
        if (ending !== undefined) {
          // If another tab has stored newer tokens in the meantime, try those.
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
    /** Returns new tokens, from another tab or from the server. Concurrent calls share one refresh. */
    refresh: (): Promise<Access> => {
      inFlight ??= renewed(keeper.accessCounter()).finally(() => {
        inFlight = undefined;
      });
      return inFlight;
    },
  };
}

const TRY_AGAIN_MS = 10_000;
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Renews tokens in the last sixth of their life, each tab at a different time: the first tab renews for all, and the
 * others reschedule. The timer alone is not reliable, because a suspended tab misses it: every use of a token checks
 * the clock.
 */
export function createRenewalTimer(deps: {
  now: () => number;
  isHidden: () => boolean;
  /** Whether to renew. A hidden tab renews only while it keeps the session alive, so that unused sessions expire. */
  isWanted: () => boolean;
  renew: () => Promise<unknown>;
}) {
  const { now, isHidden, isWanted, renew } = deps;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const after = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(fire, Math.min(Math.max(ms, 0), TIMER_MAX_MS));
    (timer as { unref?: () => void }).unref?.();
  };
  const fire = (): void => {
    // Events report the end of the session; other failures are temporary.
    if (isWanted()) renew().catch(() => after(TRY_AGAIN_MS));
  };
  return {
    arm: ({ expiresAt, lifetimeMs }: Access): void => {
      // Visible tabs renew first.
      const share = isHidden() ? 0.09 : 0.16 - Math.random() * 0.06;
      after(expiresAt - now() - lifetimeMs * share);
    },
    stop: (): void => clearTimeout(timer),
  };
}
