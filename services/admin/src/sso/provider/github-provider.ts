import * as client from 'openid-client';
import type { LastDiscovery } from './discovery.ts';
import { createNamedGroups } from './named-groups.ts';
import { personOf, type Claims } from './person-claims.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { Provider, ProviderOptions } from './provider.ts';
import { talkTo, TALK_MS } from './talk.ts';

/** Enough to read the name and the emails, and nothing else. */
const SCOPES = 'read:user user:email';

/**
 * GitHub, which has OAuth 2.0 and no OpenID Connect: its API says who somebody is, over TLS and with a token that was
 * issued for this sign-on (docs.github.com, "Authorizing OAuth apps"; PKCE and state bind it to the browser). It does not
 * say when somebody signed in, so no sign-on with it is a fresh proof, and has no logout tokens.
 */
export function createGithubProvider(
  settings: ProviderSettings,
  { callbackUrl, log, proxyFor, refuse }: ProviderOptions,
): Provider {
  const groups = createNamedGroups(settings.id, undefined, log);
  const site = settings.issuer.replace(/\/$/, '');
  const metadata = {
    issuer: `${site}/login/oauth`,
    authorization_endpoint: `${site}/login/oauth/authorize`,
    token_endpoint: `${site}/login/oauth/access_token`,
  };
  const authentication = client.ClientSecretPost(settings.clientSecret);
  const configuration = () =>
    talkTo(settings, metadata, authentication, { deadline: AbortSignal.timeout(TALK_MS), proxyFor });
  let last: LastDiscovery | undefined;
  return {
    settings,
    callbackUrl,
    lastDiscovery: () => last,
    leftOutGroups: groups.leftOut,
    readLogoutToken: () => Promise.resolve({ kind: 'invalid', reason: 'iss' }),

    async authorizationUrl({ state, codeVerifier }, { isFresh } = { isFresh: false }) {
      const url = client.buildAuthorizationUrl(configuration(), {
        redirect_uri: callbackUrl,
        scope: SCOPES,
        state,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        // The only prompt that it knows.
        ...(isFresh && { prompt: 'select_account' }),
      });
      return url.href;
    },

    async recognise({ state, codeVerifier }, parameters) {
      const config = configuration();
      try {
        const url = new URL(`${callbackUrl}?${new URLSearchParams(parameters).toString()}`);
        const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
        const { access_token: token } = await client.authorizationCodeGrant(config, url, checks);
        const [user, emails] = await Promise.all(
          ['/user', '/user/emails?per_page=100'].map((path) => ask(config, token, `${apiOf(site)}${path}`)),
        );
        last = { at: new Date(), isReachable: true };
        const { sub, claims } = describe(settings, user, emails);
        return { person: personOf(settings, { sub }, claims, groups), signedInSecondsAgo: undefined };
      } catch (error) {
        const refusal = refuse(error);
        if (refusal === 'provider_unavailable') last = { at: new Date(), isReachable: false };
        return refusal;
      }
    },
  };
}

/** The API of github.com, of an enterprise on ghe.com, and of an Enterprise Server are at different addresses. */
function apiOf(site: string): string {
  const { protocol, host } = new URL(site);
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  return isCloud ? `${protocol}//api.${host}` : `${site}/api/v3`;
}

async function ask(config: client.Configuration, token: string, url: string): Promise<unknown> {
  const headers = new Headers({
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  });
  const answer = await client.fetchProtectedResource(config, token, new URL(url), 'GET', undefined, headers);
  // As a connection that fails, so that somebody who signs on then is told to try again.
  if (answer.status >= 500) throw new TypeError(`the API answered ${answer.status}`);
  if (answer.status !== 200) throw new Error(`the API answered ${answer.status}`);
  return answer.json();
}

/**
 * What the API says, as claims. The id stays when somebody takes another name there, and nobody gets the name's former
 * accounts. Only the primary email counts, whether or not it is verified: others may be somebody else's soon.
 */
function describe({ claims: names }: ProviderSettings, user: unknown, emails: unknown) {
  const { id, login, name } = recordOf(user);
  if (!Number.isSafeInteger(id)) throw new Error('the API names no user');
  const all = (Array.isArray(emails) ? emails : []).map(recordOf);
  const primary = all.find((one) => one['primary'] === true);
  const claims: Claims = {
    [names.email]: primary?.['email'],
    [names.emailVerified]: primary?.['verified'],
    [names.name]: name ?? login,
  };
  return { sub: String(id), claims };
}

function recordOf(value: unknown): Record<string, unknown> {
  // Any object may be read as a record of unknown values.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
