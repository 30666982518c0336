import type { Log } from '@gatehouse/runtime';
import * as client from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';
import { wordsOf } from './provider-fault.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** After this time what a provider published is fetched again, behind the answer. */
const FRESH_MS = 10 * 60_000;
/** A provider that has not answered for so long is asked again before it is sent anybody. */
const STALE_MS = 24 * 3_600_000;
/** The client fetches the keys again for one that it does not know only when those it has are a minute old. */
const KEYS_AGE_SECONDS = 60;
/** Signatures that only the provider can make; a shared secret or none would let its clients make them. */
const SIGNED = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** How a provider was last found. */
export interface LastDiscovery {
  at: Date;
  isReachable: boolean;
}

interface Published {
  metadata: client.ServerMetadata;
  fetchedAt: number;
}

/**
 * What a provider publishes of itself (OpenID Connect Discovery): fetched at first use, kept, and renewed in the
 * background. A failure is not kept: the next sign-on asks again, and those at the same time share one question.
 */
export function createDiscovery(settings: ProviderSettings, options: { answerSeconds: number; log: Log }) {
  const { answerSeconds, log } = options;
  let published: Published | undefined;
  let last: LastDiscovery | undefined;
  let asking: Promise<Published | undefined> | undefined;
  let keys: client.ExportedJWKSCache | undefined;

  const ask = (): Promise<Published | undefined> => {
    asking ??= discover(settings, answerSeconds)
      .then((metadata) => {
        last = { at: new Date(), isReachable: true };
        return (published = { metadata, fetchedAt: Date.now() });
      })
      .catch((error: unknown) => {
        last = { at: new Date(), isReachable: false };
        log.warn('identity provider discovery failed', {
          provider: settings.id,
          reason: wordsOf(error),
        });
        return undefined;
      })
      .finally(() => (asking = undefined));
    return asking;
  };

  const current = (): Promise<Published | undefined> | Published => {
    const age = Date.now() - (published?.fetchedAt ?? -Infinity);
    if (published === undefined || age > STALE_MS) return ask();
    if (age > FRESH_MS) void ask();
    return published;
  };

  return {
    last: () => last,

    /**
     * A client's view of the provider for one talk, which ends with `deadline`; `undefined` when the provider does
     * not answer.
     */
    async configuration(deadline: AbortSignal): Promise<client.Configuration | undefined> {
      const known = await current();
      if (known === undefined) return undefined;
      const config = clientOf(settings, known.metadata);
      config.timeout = answerSeconds;
      config[client.customFetch] = boundedFetch(deadline);
      client.enableNonRepudiationChecks(config);
      if (keys !== undefined) client.setJwksCache(config, { ...keys, uat: keys.uat - KEYS_AGE_SECONDS });
      return config;
    },

    /** Keeps the keys that a talk has fetched for the next one. */
    keepKeys(config: client.Configuration): void {
      const used = client.getJwksCache(config);
      const isKept = keys !== undefined && used?.uat === keys.uat - KEYS_AGE_SECONDS;
      if (used !== undefined && !isKept) keys = used;
    },
  };
}

async function discover(settings: ProviderSettings, answerSeconds: number): Promise<client.ServerMetadata> {
  const { issuer, clientId } = settings;
  const config = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: answerSeconds,
    [client.customFetch]: boundedFetch(AbortSignal.timeout(answerSeconds * 1000)),
    execute: insecureFor(issuer),
  });
  const published = config.serverMetadata();
  const offered = published.id_token_signing_alg_values_supported ?? ['RS256'];
  const metadata: client.ServerMetadata = Object.assign(published, {
    id_token_signing_alg_values_supported: offered.filter((alg) => SIGNED.includes(alg)),
  });
  // The library takes an address that differs in its spelling; tokens name the issuer exactly.
  if (metadata.issuer !== issuer) throw new Error(`the issuer calls itself ${metadata.issuer}`);
  for (const endpoint of [metadata.token_endpoint, metadata.jwks_uri]) {
    if (typeof endpoint !== 'string') throw new Error('it publishes no token_endpoint or no jwks_uri');
  }
  // What cannot be used is found out before anybody is sent there.
  client.buildAuthorizationUrl(clientOf(settings, metadata), {});
  return metadata;
}

function clientOf(settings: ProviderSettings, metadata: client.ServerMetadata): client.Configuration {
  // Basic is the default where nothing is said (OpenID Connect Discovery §3).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const { clientId, clientSecret } = settings;
  const authentication = methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(clientSecret)
    : client.ClientSecretPost(clientSecret);
  const config = new client.Configuration(metadata, clientId, undefined, authentication);
  for (const extension of insecureFor(settings.issuer)) extension(config);
  return config;
}

/** Plain HTTP is for providers on this machine, which the settings are held to. */
function insecureFor(issuer: string): ((config: client.Configuration) => void)[] {
  return issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
}
