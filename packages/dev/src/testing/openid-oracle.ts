import { createCookieJar } from '@gatehouse/http/testing';
import { newP256Jwk } from '@gatehouse/runtime';
import { serve } from '@gatehouse/runtime/testing';
import { errors, Provider } from 'oidc-provider';

/** A confidential client that must use PKCE. */
export interface OracleClient {
  id: string;
  secret: string;
  redirectUri: string;
  resource: string;
}

/** What a provider does with an authorization request; `page`: it shows one to the user. */
export type AuthorizationOutcome =
  { kind: 'code'; code: string } | { kind: 'error'; error: string } | { kind: 'page' } | { kind: 'refused' };

export type OpenIdOracle = Awaited<ReturnType<typeof startOpenIdOracle>>;

/** Another OpenID Connect provider with this client, and a browser in which somebody is signed in: for comparing. */
export async function startOpenIdOracle(client: OracleClient) {
  const { url: issuer, stop } = await serve((request, response) => {
    const [, uid] = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '') ?? [];
    const done =
      uid === undefined || !isSigningIn
        ? answer(request, response)
        : provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
    done.catch(() => response.writeHead(500).end());
  });
  const provider = createProvider(issuer, client);
  const answer = provider.callback();
  const cookies = createCookieJar();
  let isSigningIn = false;

  const get = async (path: string): Promise<{ location: string | null; text: string }> => {
    const url = new URL(path, issuer).href;
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookies.header(url) } });
    const text = await response.text();
    cookies.take(url, response.headers.getSetCookie());
    return { location: response.headers.get('location'), text };
  };
  const authorize = async (query: string): Promise<AuthorizationOutcome> => {
    const { location, text } = await get(`/auth?${query}`);
    if (location?.startsWith('/interaction/') === true) return { kind: 'page' };
    const address = client.redirectUri.split('?')[0] ?? '';
    // Other response modes answer the client by a form.
    if (text.includes(`action="${address}`)) return { kind: 'error', error: 'in a form' };
    if (location?.startsWith(address) !== true) return { kind: 'refused' };
    const { searchParams, hash } = new URL(location);
    if (hash !== '') return { kind: 'error', error: 'in a fragment' };
    const code = searchParams.get('code');
    return code === null ? { kind: 'error', error: searchParams.get('error') ?? '' } : { kind: 'code', code };
  };

  return {
    authorize,
    /** Signs the user in, with an authorization request that begins it. */
    signIn: async (query: string): Promise<void> => {
      isSigningIn = true;
      let location: string | null = `/auth?${query}`;
      for (let steps = 0; location?.startsWith(client.redirectUri) === false && steps < 10; steps += 1)
        ({ location } = await get(location));
      isSigningIn = false;
      if (location?.startsWith(client.redirectUri) !== true) throw new Error('the oracle signs nobody in');
    },
    /** A request of the token endpoint: whether it got tokens, and else why not. */
    token: async (
      body: string,
      headers: Record<string, string>,
    ): Promise<{ status: number; error?: string }> => {
      const response = await fetch(`${issuer}/token`, { method: 'POST', headers, body });
      const { error } = (await response.json()) as { error?: string }; // RFC 6749 §5.2
      return { status: response.status, ...(error !== undefined && { error }) };
    },
    stop,
  };
}

function createProvider(issuer: string, { id, secret, redirectUri, resource }: OracleClient): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: id,
        client_secret: secret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...newP256Jwk(), alg: 'ES256', use: 'sig', kid: 'oracle' }] },
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'offline_access', 'groups'],
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return { scope: 'openid email profile', accessTokenFormat: 'jwt' };
        },
      },
    },
    ttl: {
      Interaction: 600,
      Session: 3600,
      Grant: 3600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
      RefreshToken: 600,
    },
    findAccount: (_context, subject) => ({ accountId: subject, claims: () => ({ sub: subject }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: id, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile offline_access groups');
      grant.addResourceScope(resource, 'openid email profile');
      await grant.save();
      return grant;
    },
  });
  return provider;
}
