import type { SsoPerson } from '@gatehouse/accounts';
import { isSubject, readSid } from '@gatehouse/auth-core';
import type { Log } from '@gatehouse/runtime';
import { compile, DisplayName, normalizeEmail } from '@gatehouse/schema';
import * as client from 'openid-client';
import { createDiscovery, type LastDiscovery } from './discovery.ts';
import { createLogoutReader, type LogoutReading } from '../logout/logout-reader.ts';
import { refusalOf, wordsOf, type ProviderRefusal } from './provider-fault.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** What of an attempt the provider's answer is checked against. */
export interface AttemptSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** An identity provider and the talk with it. */
export interface Provider {
  settings: ProviderSettings;
  /** Where the provider sends browsers back to, from configuration alone. */
  callbackUrl: string;
  /** When the provider was last asked what it publishes, and whether it answered; `undefined` before that. */
  lastDiscovery(): LastDiscovery | undefined;
  /**
   * Where to send a browser that wants to sign on; `undefined` when the provider does not answer. `isFresh`: the provider is
   * to ask who it is, whatever it knows (OpenID Connect Core §3.1.2.1).
   */
  authorizationUrl(attempt: AttemptSecrets, how?: { isFresh: boolean }): Promise<string | undefined>;
  /** Who came back with these parameters, or why nobody did. */
  recognise(
    attempt: AttemptSecrets,
    parameters: Record<string, string>,
  ): Promise<Recognised | ProviderRefusal>;
  /** What it says in a logout token, if that is its own. */
  readLogoutToken(text: string, now: number): Promise<LogoutReading>;
}

/** `fault`: why no email could be asked for, which matters to those alone who are not tied to an account yet. */
export interface Recognised {
  person: SsoPerson;
  /** How long before its answer the provider asked them who they are, by its own clock; where it says so. */
  signedInSecondsAgo: number | undefined;
  fault?: ProviderRefusal;
}

/** The whole talk with a provider for one callback: below the 4.5 s in which every request is answered. */
const TALK_MS = 3500;
/** How far a provider's clock may be ahead of ours. */
const AHEAD_SECONDS_MAX = 300;
/** One answer of it. */
const ANSWER_SECONDS = 3;

/**
 * Speaks OpenID Connect with one provider: authorization code with PKCE, state and nonce; the issuer of the response
 * (RFC 9207); and an ID token whose signature is verified with the provider's keys although it comes by TLS, so that
 * a forged response of the token endpoint is detected too.
 */
export function createProvider(
  settings: ProviderSettings,
  options: { callbackUrl: string; log: Log },
): Provider {
  const { callbackUrl, log } = options;
  const discovery = createDiscovery(settings, { answerSeconds: ANSWER_SECONDS, log });
  return {
    settings,
    callbackUrl,
    lastDiscovery: discovery.last,
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
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      });
      return url.href;
    },

    async recognise({ state, nonce, codeVerifier }, parameters) {
      const config = await discovery.configuration(AbortSignal.timeout(TALK_MS));
      if (config === undefined) return 'provider_unavailable';
      const refuse = (error: unknown): ProviderRefusal => {
        const refusal = refusalOf(error);
        log.warn('single sign-on failed at the identity provider', {
          provider: settings.id,
          refusal,
          reason: wordsOf(error),
        });
        return refusal;
      };
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const url = new URL(`${callbackUrl}?${new URLSearchParams(parameters).toString()}`);
        const answer = await client.authorizationCodeGrant(config, url, checks);
        discovery.keepKeys(config);
        const claims = answer.claims();
        if (claims === undefined || !isGenuine(claims, settings)) return 'provider_error';
        const signedInSecondsAgo =
          typeof claims.auth_time === 'number' ? claims.iat - claims.auth_time : undefined;
        try {
          const published = await claimsOfPerson(config, answer.access_token, claims, settings);
          return { person: personOf(settings, claims, published), signedInSecondsAgo };
        } catch (error) {
          // Issuer and subject are proved: who is tied to an account by them needs no email.
          const person = personOf(settings, claims, {});
          return { person, signedInSecondsAgo, fault: refuse(error) };
        }
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

/**
 * The ID token's claims, or those that the access token gives (OpenID Connect Core §5.4) where it does not say whose
 * email it is and whether that is verified. Never both: the one would vouch for the other's email.
 */
async function claimsOfPerson(
  config: client.Configuration,
  accessToken: string,
  claims: client.IDToken,
  settings: ProviderSettings,
): Promise<Record<string, unknown>> {
  const isComplete = [settings.claims.email, settings.claims.emailVerified].every((name) => name in claims);
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return client.fetchUserInfo(config, accessToken, claims.sub);
}

/** What the library does not look at: whom the token is for and about, and when it was made. */
function isGenuine(claims: client.IDToken, settings: ProviderSettings): boolean {
  const isOfNow = claims.iat <= Date.now() / 1000 + AHEAD_SECONDS_MAX;
  return isSubject(claims.sub) && isForUs(claims, settings) && isOfNow;
}

/** The party that a token was issued to (§3.1.3.7); the library looks at it only where there are several audiences. */
function isForUs(claims: client.IDToken, { clientId }: ProviderSettings): boolean {
  return claims.azp === undefined || claims.azp === clientId;
}

const isDisplayName = compile(DisplayName(), { unknownFields: 'drop' });

function personOf(
  settings: ProviderSettings,
  { sub: subject, sid }: client.IDToken,
  claims: Record<string, unknown>,
): SsoPerson {
  const { email, emailVerified, name } = settings.claims;
  const [address, isVerified, displayName] = [claims[email], claims[emailVerified], claims[name]];
  return {
    issuer: settings.issuer,
    subject,
    sid: readSid(sid),
    email: typeof address === 'string' ? mailboxOf(address) : undefined,
    // Some providers say it as text.
    isEmailVerified: isVerified === true || isVerified === 'true',
    displayName:
      typeof displayName === 'string' && isDisplayName(displayName) === undefined ? displayName : undefined,
  };
}

/**
 * The address that the provider means. Its local part must be ASCII as it stands: what merely becomes so (NFKC makes
 * one of `ａnn` and `ann`) may be another mailbox, whose owner the provider has verified as truly.
 */
function mailboxOf(address: string): string | undefined {
  const trimmed = address.trim();
  return /^[!-?A-~]+@[^@]+$/.test(trimmed) ? normalizeEmail(trimmed) : undefined;
}
