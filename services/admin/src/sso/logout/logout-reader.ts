import { checkLogoutToken, claimsIssuer, type LogoutTokenCheck } from '@gatehouse/auth-core';
import type { createDiscovery } from '../provider/discovery.ts';
import { createProviderKeys } from './provider-keys.ts';
import type { ProviderSettings } from '../provider/provider-settings.ts';

/** What a provider says in a logout token, if that is its own; `unavailable`: its keys cannot be had. */
export type LogoutReading = Exclude<LogoutTokenCheck, { kind: 'unknown_key' }> | { kind: 'unavailable' };

/** Below the 4.5 s in which every request is answered. */
const TALK_MS = 3500;

/**
 * Reads logout tokens of one provider under the keys that it publishes. One whose key is unknown has them fetched anew, so
 * that a provider may change them; anybody can send such tokens, so that this is done once a minute at most.
 */
export function createLogoutReader(
  { issuer, clientId }: ProviderSettings,
  discovery: Pick<ReturnType<typeof createDiscovery>, 'configuration'>,
) {
  const providerKeys = createProviderKeys();
  return async (text: string, now: number): Promise<LogoutReading> => {
    if (!claimsIssuer(text, issuer)) return { kind: 'invalid', reason: 'iss' };
    const deadline = AbortSignal.timeout(TALK_MS);
    const metadata = (await discovery.configuration(deadline))?.serverMetadata();
    const { jwks_uri: url, id_token_signing_alg_values_supported: algorithms = [] } = metadata ?? {};
    if (url === undefined) return { kind: 'unavailable' };
    for (const isNewer of [false, true]) {
      const keys = await providerKeys.find(url, { deadline, isNewer });
      if (keys === undefined) return { kind: 'unavailable' };
      const check = await checkLogoutToken(text, { issuer, audience: clientId, algorithms, keys, now });
      if (check.kind !== 'unknown_key') return check;
    }
    return { kind: 'invalid', reason: 'unknown_key' };
  };
}
