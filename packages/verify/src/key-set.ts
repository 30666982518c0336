import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** The part of `fetch` (Node 20 and later) that is used here. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The public keys of an installation, as last fetched. */
export interface KeySet {
  /** Finds the key of a token; an unknown key causes a fetch. @throws while no set was ever fetched. */
  find: JWTVerifyGetKey;
  /** Whether the last fetched set has this key; true until there is one. Starts a fetch when one is due. */
  has(kid: string): boolean;
  /** Whether a key signs tokens of applications (`isApp`), or Gatehouse's own, that were issued at that time. */
  signs(kid: string, token: { isApp: boolean; issuedAt: number }): boolean;
}

/** How much later removed keys stop working, while tokens are checked. */
const FRESH_MS = 60_000;
/** The minimum time between fetches for unknown keys: anyone can invent a `kid`. */
const UNKNOWN_MS = 30_000;
/** The pause after the first fetch failed. */
const AGAIN_MS = 1000;
const TIMEOUT_MS = 5000;

/** While the set cannot be fetched again, the known keys stay valid: an outage of Gatehouse stops no service. */
export function createKeySet(url: string, fetch: Fetch, now: () => number): KeySet {
  let kids: ReadonlyMap<string, number> | undefined;
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
    kids = new Map(set.keys.map((key) => [key.kid ?? '', appsUntilOf(key)]));
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

  // Starts before the first request needs it; a failure is reported to that request.
  refreshOnce().catch(() => {});

  return {
    has: (kid) => {
      refreshInBackground();
      return kids?.has(kid) !== false;
    },
    signs: (kid, { isApp, issuedAt }) => {
      const isDivided = [...(kids?.values() ?? [])].some((until) => until < Infinity);
      const until = kids?.get(kid) ?? Infinity;
      return isApp ? issuedAt < until : until < Infinity || !isDivided;
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

/**
 * Until when a key signed tokens of applications, in epoch seconds: a member that only keys of our own tokens have, once
 * applications have keys of their own.
 */
function appsUntilOf(key: object): number {
  return 'apps_until' in key && typeof key.apps_until === 'number' ? key.apps_until : Infinity;
}

/** No key was ever fetched, so nothing can be verified. */
class NoKeys extends Error {
  override name = 'NoKeys';
}
