import { isSubject, readSid } from '@gatehouse/auth-core';
import type { Log } from '@gatehouse/runtime';
import { compile, DisplayName, normalizeEmail } from '@gatehouse/schema';
import * as client from 'openid-client';
import type { SsoPerson } from '../attempt/account-of-person.ts';
import { createDiscovery, type LastDiscovery } from './discovery.ts';
import { createLogoutReader, type LogoutReading } from '../logout/logout-reader.ts';
import { createNamedGroups, type GroupRules, type NamedGroups } from './named-groups.ts';
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
/** How far a provider's clock may be ahead of ours. */
const AHEAD_SECONDS_MAX = 300;
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
        ...(isFresh ? { prompt: 'login', max_age: '0' } : { max_age: String(AGE_SECONDS_MAX) }),
      });
      return url.href;
    },

    async recognise({ state, nonce, codeVerifier }, parameters) {
      const config = await discovery.configuration(AbortSignal.timeout(TALK_MS));
      if (config === undefined) return 'provider_unavailable';
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const url = new URL(`${callbackUrl}?${new URLSearchParams(parameters).toString()}`);
        const answer = await client.authorizationCodeGrant(config, url, checks);
        discovery.keepKeys(config);
        const claims = answer.claims();
        if (claims === undefined || !isGenuine(claims, settings)) return 'provider_error';
        const signedInSecondsAgo =
          typeof claims.auth_time === 'number' ? claims.iat - claims.auth_time : undefined;
        const found = await claimsOfPerson(config, answer.access_token, claims, settings);
        const fault = found.fault === undefined ? undefined : refuse(found.fault);
        return {
          person: personOf(settings, claims, found.claims, groups),
          signedInSecondsAgo,
          // Issuer and subject are proved. A person whose identity is already linked needs no email.
          ...(fault !== undefined && !vouchesForEmail(settings, claims) && { fault }),
        };
      } catch (error) {
        discovery.dropKeysAfter(error);
        return refuse(error);
      }
    },
  };
}

/**
 * The ID token's claims and, where one that is configured is missing, those of the userinfo endpoint (OpenID Connect
 * Core §5.4). The email and whether it is verified never come from both: one source would then vouch for the email of
 * the other. `fault`: the endpoint did not answer, so that only the ID token says something.
 */
async function claimsOfPerson(
  config: client.Configuration,
  accessToken: string,
  claims: client.IDToken,
  settings: ProviderSettings,
): Promise<{ claims: Record<string, unknown>; fault?: unknown }> {
  const { email, emailVerified, name, groups = settings.groups?.claim } = settings.claims;
  const isComplete = [email, emailVerified, name, groups ?? email].every((claim) => claim in claims);
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return { claims };
  const isVouchedFor = vouchesForEmail(settings, claims);
  try {
    const more = await client.fetchUserInfo(config, accessToken, claims.sub);
    const vouched: Record<string, unknown> = isVouchedFor ? claims : more;
    const address = { [email]: vouched[email], [emailVerified]: vouched[emailVerified] };
    return { claims: { ...more, ...claims, ...address } };
  } catch (fault) {
    return { claims: isVouchedFor ? claims : { ...claims, [email]: undefined }, fault };
  }
}

/** Whether the ID token names an email and says whether it is verified. */
function vouchesForEmail(
  { claims: { email, emailVerified } }: ProviderSettings,
  claims: client.IDToken,
): boolean {
  return email in claims && emailVerified in claims;
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
  const isOfNow = claims.iat <= Date.now() / 1000 + AHEAD_SECONDS_MAX;
  return isSubject(claims.sub) && isForUs(claims, settings) && isOfNow;
}

/** The party that a token was issued to (§3.1.3.7). The library checks it only if there are several audiences. */
function isForUs(claims: client.IDToken, { clientId }: ProviderSettings): boolean {
  return claims.azp === undefined || claims.azp === clientId;
}

const isDisplayName = compile(DisplayName(), { unknownFields: 'drop' });

function personOf(
  settings: ProviderSettings,
  { sub: subject, sid }: client.IDToken,
  claims: Record<string, unknown>,
  groups: NamedGroups,
): SsoPerson {
  const { email, emailVerified, name } = settings.claims;
  const [address, isVerified, displayName] = [claims[email], claims[emailVerified], claims[name]];
  return {
    issuer: settings.issuer,
    subject,
    sid: readSid(sid),
    email: typeof address === 'string' ? mailboxOf(address) : undefined,
    // Some providers send it as a string.
    isEmailVerified: isVerified === true || isVerified === 'true',
    displayName:
      typeof displayName === 'string' && isDisplayName(displayName) === undefined ? displayName : undefined,
    groups: groups.read(claims),
  };
}

/**
 * The mailbox that the provider means. Its local part must be ASCII before normalization: NFKC turns `ａnn` into `ann`,
 * which may be another mailbox, and the provider may have verified the owner of the former.
 */
function mailboxOf(address: string): string | undefined {
  const trimmed = address.trim();
  return /^[!-?A-~]+@[^@]+$/.test(trimmed) ? normalizeEmail(trimmed) : undefined;
}
