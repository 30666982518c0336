import { CLOCK_SECONDS_MAX, isSubject } from '@gatehouse/auth-core';
import type { Log } from '@gatehouse/runtime';
import * as client from 'openid-client';
import type { SsoPerson } from '../attempt/account-of-person.ts';
import { createDiscovery, type LastDiscovery } from './discovery.ts';
import { createLogoutReader, type LogoutReading } from '../logout/logout-reader.ts';
import { createNamedGroups, type GroupRules, type NamedGroups } from './named-groups.ts';
import { gatherClaims, personOf, vouchesForEmail } from './person-claims.ts';
import { refusalOf, messagesOf, type ProviderRefusal } from './provider-fault.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** The values of an attempt against which the provider's response is checked. */
export interface AttemptSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** An identity provider, and the requests to it. */
export interface Provider {
  settings: ProviderSettings;
  /** The address to which the provider returns browsers. It depends on the configuration only. */
  callbackUrl: string;
  /** The time and result of the last discovery; `undefined` if there was none. */
  lastDiscovery(): LastDiscovery | undefined;
  /** The names of groups that were left out lately. */
  leftOutGroups(): string[];
  /**
   * The URL to which a browser is redirected to sign on; `undefined` if the provider does not answer. `isFresh`: the
   * provider must authenticate the user even if it has a session (OpenID Connect Core §3.1.2.1). With any `max_age` it
   * must say when it did.
   */
  authorizationUrl(attempt: AttemptSecrets, how?: { isFresh: boolean }): Promise<string | undefined>;
  /** Identifies the person who returned with these parameters, or says why that failed. */
  recognise(
    attempt: AttemptSecrets,
    parameters: Record<string, string>,
  ): Promise<IdentifiedPerson | ProviderRefusal>;
  /** Verifies and reads a logout token. */
  readLogoutToken(text: string, now: number): Promise<LogoutReading>;
}

/** `fault`: why the email could not be fetched, which only matters if the person has no linked account yet. */
export interface IdentifiedPerson {
  person: SsoPerson;
  /** The time between authentication and response, by the provider's clock, if the provider reports it. */
  signedInSecondsAgo: number | undefined;
  fault?: ProviderRefusal;
}

/** The limit for all requests of one callback: less than 4.5 s, in which every request is answered. */
const TALK_MS = 3500;
/** Longer than any session at a provider. */
const AGE_SECONDS_MAX = 365 * 86_400;
/** The limit for a single request. */
const ANSWER_SECONDS = 3;

/**
 * Implements OpenID Connect with one provider: authorization code with PKCE, state and nonce, and the issuer of the
 * response (RFC 9207). The signature of the ID token is verified with the provider's keys even though it is received
 * over TLS, so that a forged response of the token endpoint is detected, too.
 */
export function createProvider(
  settings: ProviderSettings,
  options: { callbackUrl: string; log: Log },
): Provider {
  const { callbackUrl, log } = options;
  const discovery = createDiscovery(settings, { answerSeconds: ANSWER_SECONDS, log });
  const groups = createNamedGroups(settings.id, groupRulesOf(settings, log), log);
  const refuse = (error: unknown): ProviderRefusal => {
    const refusal = refusalOf(error);
    const reason = messagesOf(error);
    log.warn('single sign-on failed at the identity provider', { provider: settings.id, refusal, reason });
    return refusal;
  };
  return {
    settings,
    callbackUrl,
    lastDiscovery: discovery.last,
    leftOutGroups: groups.leftOut,
    readLogoutToken: createLogoutReader(settings, discovery),

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
        ...(isFresh ? { prompt: settings.freshPrompt, max_age: '0' } : { max_age: String(AGE_SECONDS_MAX) }),
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
        const { person, fault } = await describe(settings, config, answer.access_token, claims, groups);
        const refusal = fault === undefined ? undefined : refuse(fault);
        return {
          person,
          signedInSecondsAgo:
            typeof claims.auth_time === 'number' ? claims.iat - claims.auth_time : undefined,
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
function groupRulesOf(
  { id, claims, groups, trustEmail }: ProviderSettings,
  log: Log,
): GroupRules | undefined {
  if (claims.groups === undefined) return groups;
  const prefix = trustEmail ? '' : `${id}:`;
  log.warn(
    'claims.groups does not say which groups of an identity provider count: set groups (docs/sso.md)',
    {
      provider: id,
      prefix,
    },
  );
  return { claim: claims.groups, prefix };
}

/** Checks what the library does not check: the subject, the authorized party, and the time of issue. */
function isGenuine(claims: client.IDToken, settings: ProviderSettings): boolean {
  const isOfNow = claims.iat <= Date.now() / 1000 + CLOCK_SECONDS_MAX;
  return isSubject(claims.sub) && isForUs(claims, settings) && isOfNow;
}

/** The party that a token was issued to (§3.1.3.7). The library checks it only if there are several audiences. */
function isForUs(claims: client.IDToken, { clientId }: ProviderSettings): boolean {
  return claims.azp === undefined || claims.azp === clientId;
}
