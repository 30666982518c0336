import { boundedFetch } from '../provider/bounded-fetch.ts';

/** Public keys as they are published (RFC 7517); a key is looked at when a signature names it. */
export interface ProviderKeys {
  keys: { kty: string }[];
}

/** After this time what a provider published is fetched again. */
const FRESH_MS = 10 * 60_000;
/** Tokens with keys that nobody has cause no more than one question in this time. */
const APART_MS = 60_000;

/** The keys that a provider signs with (`jwks_uri`), fetched when they are needed and kept; those at the same time share one question. */
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
      // Those that were kept go on being good.
      .catch(() => {
        hasFailed = true;
      })
      .finally(() => (asking = undefined));
    return asking;
  };

  return {
    /** `undefined` when the provider does not answer. `isNewer`: others than those that are kept, where it has been a while. */
    async find(
      url: string,
      { deadline, isNewer = false }: { deadline: AbortSignal; isNewer?: boolean },
    ): Promise<ProviderKeys | undefined> {
      const isOld = kept === undefined || now() - kept.at > FRESH_MS;
      const mayAsk = kept === undefined || now() - askedAt > APART_MS;
      if (asking !== undefined || ((isOld || isNewer) && mayAsk)) await ask(url, deadline);
      // Without the provider's answer, nobody knows whether the key exists.
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
