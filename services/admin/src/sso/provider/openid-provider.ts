import { CLOCK_SECONDS_MAX, isSubject } from '@gatehouse/auth-core';
import type { Log } from '@gatehouse/runtime';
import * as client from 'openid-client';
import type { SsoPerson } from '../attempt/sso-rules.ts';
import { createDiscovery } from './discovery.ts';
import { createLogoutReader } from '../logout/logout-reader.ts';
import { createNamedGroups, type NamedGroups } from './named-groups.ts';
import { gatherClaims, personOf, vouchesForEmail } from './person-claims.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { Provider, ProviderOptions } from './provider.ts';
import { TALK_MS } from './talk.ts';

/** Longer than any session at a provider. */
const AGE_SECONDS_MAX = 365 * 86_400;

/**
 * Implements OpenID Connect with one provider: authorization code with PKCE, state and nonce, and the issuer of the
 * response (RFC 9207). The signature of the ID token is verified with the provider's keys even though it is received
 * over TLS, so that a forged response of the token endpoint is detected, too.
 */
export function createOpenidProvider(settings: ProviderSettings, options: ProviderOptions): Provider {
  const { callbackUrl, log, proxyFor, refuse } = options;
  const discovery = createDiscovery(settings, log, proxyFor);
  const groups = createNamedGroups(settings.id, groupRulesOf(settings, log), log);
  return {
    settings,
    callbackUrl,
    lastDiscovery: discovery.last,
    leftOutGroups: groups.leftOut,
    readLogoutToken: createLogoutReader(settings, discovery, proxyFor),

    async authorizationUrl({ state, nonce, codeVerifier }, { isFresh } = { isFresh: false }) {
      const config = await discovery.configuration(AbortSignal.timeout(TALK_MS));
      if (config === undefined) return undefined;
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: callbackUrl,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(settings.kind === 'apple' ? { response_mode: 'form_post' } : howFresh(settings, isFresh)),
      });
      return url.href;
    },

    async recognise({ state, nonce, codeVerifier }, parameters) {
      const config = await discovery.configuration(AbortSignal.timeout(TALK_MS));
      if (config === undefined) return 'provider_unavailable';
      try {
        const url = new URL(`${callbackUrl}?${new URLSearchParams(parameters).toString()}`);
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const answer = await client.authorizationCodeGrant(config, url, checks);
        discovery.keepKeys(config);
        const claims = answer.claims();
        if (claims === undefined || !isGenuine(claims, settings)) return 'provider_error';
        const name = settings.kind === 'apple' && { [settings.claims.name]: parameters['name'] };
        const named = { ...name, ...claims };
        const { person, fault } = await describe(settings, config, answer.access_token, named, groups);
        const refusal = fault === undefined ? undefined : refuse(fault);
        const { auth_time: at } = claims;
        return {
          person,
          signedInSecondsAgo: typeof at === 'number' ? claims.iat - at : undefined,
          // Issuer and subject are proved. A person whose identity is already linked needs no email.
          ...(refusal !== undefined && !vouchesForEmail(settings, claims) && { fault: refusal }),
        };
      } catch (error) {
        discovery.dropKeysAfter(error);
        return refuse(error);
      }
    },
  };
}

/** Apple has neither parameter: it asks people each time. */
function howFresh({ freshPrompt }: ProviderSettings, isFresh: boolean) {
  return isFresh ? { prompt: freshPrompt, max_age: '0' } : { max_age: String(AGE_SECONDS_MAX) };
}

/** The person of an ID token. `fault`: why userinfo said nothing about them, although it was needed. */
async function describe(
  settings: ProviderSettings,
  config: client.Configuration,
  accessToken: string,
  idToken: client.IDToken,
  groups: NamedGroups,
): Promise<{ person: SsoPerson; fault?: unknown }> {
  const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
  const ask = () => client.fetchUserInfo(config, accessToken, idToken.sub);
  const { claims, fault } = await gatherClaims(settings, idToken, hasUserInfo ? ask : undefined);
  return { person: personOf(settings, idToken, claims, groups), fault };
}

/** Which names of the provider become groups; where the settings only name the claim, what they mean. */
function groupRulesOf({ id, claims, groups, trustEmail }: ProviderSettings, log: Log) {
  if (claims.groups === undefined) return groups;
  const prefix = trustEmail ? '' : `${id}:`;
  const message =
    'claims.groups does not say which groups of an identity provider count: set groups (docs/sso.md)';
  log.warn(message, { provider: id, prefix });
  return { claim: claims.groups, prefix };
}

/** What the library does not check: subject, time of issue, and of a single audience the `azp` (§3.1.3.7). */
function isGenuine({ sub, iat, azp }: client.IDToken, { clientId }: ProviderSettings): boolean {
  return isSubject(sub) && iat <= Date.now() / 1000 + CLOCK_SECONDS_MAX && (azp ?? clientId) === clientId;
}
