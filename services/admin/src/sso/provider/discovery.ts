import type { Log, ProxyFor } from '@gatehouse/runtime';
import * as client from 'openid-client';
import { appleSecret } from './apple.ts';
import { messagesOf } from './provider-fault.ts';
import { isSecureUrl, type ProviderSettings } from './provider-settings.ts';
import { ANSWER_SECONDS, boundedFetch, insecureFor, talkTo, type Way } from './talk.ts';

/** After this time the metadata is fetched again, in the background. */
const FRESH_MS = 10 * 60_000;
/** If the metadata is older than this, users are only redirected to the provider after it has answered again. */
const STALE_MS = 24 * 3_600_000;
/** The library fetches the keys again for an unknown key only if its cached keys are at least this old. */
const KEYS_AGE_SECONDS = 60;
/** Algorithms whose signatures only the provider can make. With a shared secret or `none`, its clients could, too. */
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

export interface LastDiscovery {
  at: Date;
  isReachable: boolean;
}

interface Published {
  metadata: client.ServerMetadata;
  fetchedAt: number;
}

/**
 * The metadata of a provider (OpenID Connect Discovery): fetched at first use, cached, and renewed in the background.
 * Failures are not cached: the next sign-on tries again. Concurrent calls share one request.
 */
export function createDiscovery(settings: ProviderSettings, log: Log, proxyFor: ProxyFor) {
  let published: Published | undefined;
  let last: LastDiscovery | undefined;
  let asking: Promise<Published | undefined> | undefined;
  let keys: client.ExportedJWKSCache | undefined;

  const ask = (): Promise<Published | undefined> => {
    asking ??= discover(settings, proxyFor)
      .then((metadata) => {
        last = { at: new Date(), isReachable: true };
        return (published = { metadata, fetchedAt: Date.now() });
      })
      .catch((error: unknown) => {
        last = { at: new Date(), isReachable: false };
        const facts = { provider: settings.id, reason: messagesOf(error) };
        log.warn('identity provider discovery failed', facts);
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

    /** For requests to the provider, which end with `deadline`; `undefined` if it does not answer. */
    async configuration(deadline: AbortSignal): Promise<client.Configuration | undefined> {
      const known = await current();
      if (known === undefined) return undefined;
      const config = clientOf(settings, known.metadata, { deadline, proxyFor });
      client.enableNonRepudiationChecks(config);
      if (keys !== undefined) client.setJwksCache(config, { ...keys, uat: keys.uat - KEYS_AGE_SECONDS });
      return config;
    },

    /** Stores the provider's keys that were fetched during a sign-on for the next one. */
    keepKeys(config: client.Configuration): void {
      const used = client.getJwksCache(config);
      const isKept = keys !== undefined && used?.uat === keys.uat - KEYS_AGE_SECONDS;
      if (used !== undefined && !isKept) keys = used;
    },

    /** A provider with one key need not name it: only a signature that is not valid tells that it has a new one. */
    dropKeysAfter(error: unknown): void {
      if (error instanceof client.ClientError && error.code === 'OAUTH_INVALID_RESPONSE') keys = undefined;
    },
  };
}

async function discover(settings: ProviderSettings, proxyFor: ProxyFor): Promise<client.ServerMetadata> {
  const { issuer, clientId } = settings;
  const config = await client.discovery(new URL(issuer), clientId, undefined, undefined, {
    timeout: ANSWER_SECONDS,
    [client.customFetch]: boundedFetch(AbortSignal.timeout(ANSWER_SECONDS * 1000), { proxyFor }),
    execute: insecureFor(issuer),
  });
  const published = config.serverMetadata();
  const offered = published.id_token_signing_alg_values_supported ?? ['RS256'];
  const metadata: client.ServerMetadata = Object.assign(published, {
    id_token_signing_alg_values_supported: offered.filter((alg) => SIGNED.includes(alg)),
  });
  // The library accepts other spellings of the issuer, but tokens must contain exactly the configured one.
  if (metadata.issuer !== issuer) throw new Error(`the issuer calls itself ${metadata.issuer}`);
  for (const endpoint of [metadata.token_endpoint, metadata.jwks_uri]) {
    if (typeof endpoint !== 'string') throw new Error('it publishes no token_endpoint or no jwks_uri');
    if (!isProtected(endpoint, issuer)) throw new Error(`${endpoint} is not an https URL`);
  }
  // Throws if the metadata cannot be used, before any user is redirected to the provider.
  client.buildAuthorizationUrl(clientOf(settings, metadata, { deadline: AbortSignal.abort(), proxyFor }), {});
  return metadata;
}

/** Whether an address of a provider has TLS, as its issuer has, or is on this machine. */
function isProtected(endpoint: string, issuer: string): boolean {
  const { protocol } = new URL(endpoint);
  return protocol === 'https:' || (issuer.startsWith('http:') && isSecureUrl(endpoint));
}

function clientOf(settings: ProviderSettings, metadata: client.ServerMetadata, way: Way) {
  if (settings.kind === 'apple') {
    const secret = appleSecret(settings, Date.now() / 1000);
    return talkTo(settings, metadata, client.ClientSecretPost(secret), way);
  }
  // `client_secret_basic` is the default if no method is listed (OpenID Connect Discovery §3).
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isBasic = methods.includes('client_secret_basic');
  const authenticate = isBasic ? client.ClientSecretBasic : client.ClientSecretPost;
  return talkTo(settings, metadata, authenticate(settings.clientSecret), way);
}
