import { boundedFetch } from '../provider/bounded-fetch.ts';

/** Public keys as published by the provider (RFC 7517). A key is only parsed when a signature names it. */
export interface ProviderKeys {
  keys: { kty: string }[];
}

/** After this time the keys are fetched again. */
const FRESH_MS = 10 * 60_000;
/** The minimum time between two fetches, however many tokens with unknown keys arrive. */
const APART_MS = 60_000;

/** The signing keys of a provider (`jwks_uri`), fetched when needed and cached. Concurrent calls share one fetch. */
export function createProviderKeys({ now = Date.now }: { now?: () => number } = {}) {
  let kept: { keys: ProviderKeys; at: number } | undefined;
  let askedAt = -Infinity;
  let hasFailed = false;
  let asking: Promise<void> | undefined;

  const ask = (url: string, deadline: AbortSignal): Promise<void> => {
    askedAt = now();
    asking ??= fetchKeys(url, deadline)
      .then((keys) => {
        kept = { keys, at: now() };
        hasFailed = false;
      })
      // The cached keys remain valid.
      .catch(() => {
        hasFailed = true;
      })
      .finally(() => (asking = undefined));
    return asking;
  };

  return {
    /**
     * Returns the keys, or `undefined` if they could not be fetched. `isNewer`: fetches them again, unless the last
     * fetch was less than a minute ago.
     */
    async find(
      url: string,
      { deadline, isNewer = false }: { deadline: AbortSignal; isNewer?: boolean },
    ): Promise<ProviderKeys | undefined> {
      const isOld = kept === undefined || now() - kept.at > FRESH_MS;
      const mayAsk = kept === undefined || now() - askedAt > APART_MS;
      if (asking !== undefined || ((isOld || isNewer) && mayAsk)) await ask(url, deadline);
      // If the last fetch failed, it is not known whether newer keys exist.
      return isNewer && hasFailed ? undefined : kept?.keys;
    },
  };
}

async function fetchKeys(url: string, deadline: AbortSignal): Promise<ProviderKeys> {
  const response = await boundedFetch(deadline)(url, {
    method: 'GET',
    headers: { accept: 'application/json' },
    redirect: 'manual',
    body: undefined,
  });
  const answer: unknown = await response.json();
  if (response.status !== 200 || !isKeySet(answer)) throw new TypeError('it publishes no keys');
  return answer;
}

function isKeySet(answer: unknown): answer is ProviderKeys {
  if (typeof answer !== 'object' || answer === null || !('keys' in answer)) return false;
  return Array.isArray(answer.keys) && answer.keys.every(isKey);
}

function isKey(key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && typeof key.kty === 'string';
}
