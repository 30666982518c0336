import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Fetch } from './fetch.ts';

/** The public keys of an installation, as last fetched. */
export interface KeySet {
  /** The key of a token; the set is fetched where it is not known. @throws when nothing is known yet. */
  find: JWTVerifyGetKey;
  /** Whether the last set that was fetched has this key; true while there is none. Fetches it again where that is due. */
  has(kid: string): boolean;
}

/** Keys that were removed stop working this much later, while tokens are checked. */
const FRESH_MS = 60_000;
/** Anybody can make up a `kid`. */
const UNKNOWN_MS = 30_000;
/** After a failure of the first fetch. */
const AGAIN_MS = 1000;
const TIMEOUT_MS = 5000;

/**
 * Keeps the set of keys at `url`. While it cannot be fetched again, the keys that are known go on being good: a service
 * does not stop because Gatehouse is away.
 */
export function createKeySet(url: string, fetch: Fetch, now: () => number): KeySet {
  let kids: ReadonlySet<string> | undefined;
  let local: ReturnType<typeof createLocalJWKSet> | undefined;
  let fetchedAt = -Infinity;
  let triedAt = -Infinity;
  let fetching: Promise<void> | undefined;

  const refresh = async (): Promise<void> => {
    triedAt = now();
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const set = (await response.json()) as JSONWebKeySet; // createLocalJWKSet checks what it is
    local = createLocalJWKSet(set);
    kids = new Set(set.keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid])));
    fetchedAt = now();
  };
  const refreshOnce = (): Promise<void> => {
    fetching ??= refresh().finally(() => (fetching = undefined));
    return fetching;
  };
  const isDue = (ms: number): boolean => now() - triedAt >= ms;
  const refreshInBackground = (): void => {
    if (now() - fetchedAt >= FRESH_MS && isDue(UNKNOWN_MS)) refreshOnce().catch(() => {});
  };

  // Before the first request needs it; a failure shows when one does.
  refreshOnce().catch(() => {});

  return {
    has: (kid) => {
      refreshInBackground();
      return kids?.has(kid) !== false;
    },
    find: async (header, token) => {
      if (local === undefined && (fetching !== undefined || isDue(AGAIN_MS))) await refreshOnce();
      else refreshInBackground();
      const isUnknown = header.kid !== undefined && kids?.has(header.kid) === false;
      if (isUnknown && (fetching !== undefined || isDue(UNKNOWN_MS))) await refreshOnce().catch(() => {});
      if (local === undefined) throw new NoKeys('the keys of Gatehouse have not been fetched yet');
      return await local(header, token);
    },
  };
}

/** Nothing can be checked yet. */
class NoKeys extends Error {
  override name = 'NoKeys';
}
