import { checkLogoutToken, claimsIssuer, type LogoutTokenCheck } from '@gatehouse/auth-core';
import type { ProxyFor } from '@gatehouse/runtime';
import type { createDiscovery } from '../provider/discovery.ts';
import type { ProviderSettings } from '../provider/provider-settings.ts';
import { boundedFetch, type Way } from '../provider/talk.ts';

/** `unavailable`: the keys could not be fetched. `too_many`: its key is unknown, and cannot be looked up yet. */
export type LogoutReading =
  Exclude<LogoutTokenCheck, { kind: 'unknown_key' }> | Exclude<FoundKeys, { kind: 'keys' }>;

/** Less than 4.5 s, the limit in which every request is answered. */
const TALK_MS = 3500;

/** An unknown key makes it fetch the keys: a provider may sign with a new one as soon as it has published it. */
export function createLogoutReader(
  { issuer, clientId }: ProviderSettings,
  discovery: ReturnType<typeof createDiscovery>,
  proxyFor: ProxyFor,
) {
  const providerKeys = createProviderKeys({ proxyFor });
  return async (text: string, now: number): Promise<LogoutReading> => {
    if (!claimsIssuer(text, issuer)) return { kind: 'invalid', reason: 'iss' };
    const deadline = AbortSignal.timeout(TALK_MS);
    const metadata = (await discovery.configuration(deadline))?.serverMetadata();
    const { jwks_uri: url, id_token_signing_alg_values_supported: algorithms = [] } = metadata ?? {};
    if (url === undefined) return { kind: 'unavailable' };
    for (const isNewer of [false, true]) {
      const found = await providerKeys.find(url, { deadline, isNewer });
      if (found.kind !== 'keys') return found;
      const { keys } = found;
      const check = await checkLogoutToken(text, { issuer, audience: clientId, algorithms, keys, now });
      if (check.kind !== 'unknown_key') return check;
      if (found.isNewest) break;
    }
    return { kind: 'invalid', reason: 'unknown_key' };
  };
}

/** Public keys as published by the provider (RFC 7517). A key is only parsed when a signature names it. */
export interface ProviderKeys {
  keys: { kty: string }[];
}

/** After this time the keys are fetched again. */
const FRESH_MS = 10 * 60_000;
/** Anybody can send tokens with unknown keys: these cause so many fetches at once, and then one per interval. */
const FETCHES_AT_ONCE = 3;
const INTERVAL_MS = 20_000;

/** `isNewest`: the keys were fetched during the call. `too_many`: newer keys were asked for too often. `unavailable`: they could not be fetched. */
export type FoundKeys =
  | { kind: 'keys'; keys: ProviderKeys; isNewest: boolean }
  | { kind: 'too_many'; retryAfterSeconds: number }
  | { kind: 'unavailable' };

/** The signing keys of a provider (`jwks_uri`), fetched when needed and cached. Concurrent calls share one fetch. */
export function createProviderKeys(options: { proxyFor: ProxyFor; now?: () => number }) {
  const { proxyFor, now = () => performance.now() } = options;
  let kept: { keys: ProviderKeys; at: number } | undefined;
  let asking: Promise<boolean> | undefined;
  /** From then on, `FETCHES_AT_ONCE` are possible. */
  let fullAt = -Infinity;

  /** Returns whether it succeeded. If not, the cached keys remain valid. */
  const ask = (url: string, deadline: AbortSignal): Promise<boolean> => {
    if (asking !== undefined) return asking;
    const [earliest, latest] = [now() + INTERVAL_MS, now() + FETCHES_AT_ONCE * INTERVAL_MS];
    fullAt = Math.min(Math.max(fullAt + INTERVAL_MS, earliest), latest);
    asking = fetchKeys(url, { deadline, proxyFor })
      .then(
        (keys) => {
          kept = { keys, at: now() };
          return true;
        },
        () => false,
      )
      .finally(() => (asking = undefined));
    return asking;
  };

  return {
    /** `isNewer`: returns only the newest keys. */
    async find(url: string, asked: { deadline: AbortSignal; isNewer?: boolean }): Promise<FoundKeys> {
      const { deadline, isNewer = false } = asked;
      const isOld = kept === undefined || now() - kept.at > FRESH_MS;
      const waitMs = kept === undefined ? 0 : fullAt - now() - (FETCHES_AT_ONCE - 1) * INTERVAL_MS;
      let isFetched = false;
      if (asking !== undefined || ((isOld || isNewer) && waitMs <= 0)) isFetched = await ask(url, deadline);
      else if (isNewer) return { kind: 'too_many', retryAfterSeconds: waitMs / 1000 };
      if (kept === undefined || (isNewer && !isFetched)) return { kind: 'unavailable' };
      return { kind: 'keys', keys: kept.keys, isNewest: isFetched };
    },
  };
}

async function fetchKeys(url: string, { deadline, proxyFor }: Way): Promise<ProviderKeys> {
  const response = await boundedFetch(deadline, { proxyFor })(url, {
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
