import { checkLogoutToken, claimsIssuer, type LogoutTokenCheck } from '@gatehouse/auth-core';
import type { createDiscovery } from '../provider/discovery.ts';
import { createProviderKeys, type FoundKeys } from './provider-keys.ts';
import type { ProviderSettings } from '../provider/provider-settings.ts';

/**
 * The result of checking a logout token. `unavailable`: the provider's keys could not be fetched. `too_many`: its key is
 * unknown, and cannot be looked up yet.
 */
export type LogoutReading =
  Exclude<LogoutTokenCheck, { kind: 'unknown_key' }> | Exclude<FoundKeys, { kind: 'keys' }>;

/** Less than 4.5 s, the limit in which every request is answered. */
const TALK_MS = 3500;

/**
 * Verifies logout tokens of one provider with its published keys. A token with an unknown key makes it fetch them
 * again, because a provider may sign with a new key as soon as it has published it.
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
