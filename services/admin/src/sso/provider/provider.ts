import type { Log, ProxyFor } from '@gatehouse/runtime';
import type { SsoPerson } from '../attempt/sso-rules.ts';
import type { LogoutReading } from '../logout/logout-reader.ts';
import type { LastDiscovery } from './discovery.ts';
import type { ProviderRefusal } from './provider-fault.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** The values of an attempt against which the provider's response is checked. */
export interface AttemptSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface Provider {
  settings: ProviderSettings;
  /** The address to which the provider returns browsers. It depends on the configuration only. */
  callbackUrl: string;
  lastDiscovery(): LastDiscovery | undefined;
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
  readLogoutToken(text: string, now: number): Promise<LogoutReading>;
}

/** `fault`: why the email could not be fetched, which only matters if the person has no linked account yet. */
export interface IdentifiedPerson {
  person: SsoPerson;
  /** The time between authentication and response, by the provider's clock, if the provider reports it. */
  signedInSecondsAgo: number | undefined;
  fault?: ProviderRefusal;
}

export interface ProviderOptions {
  callbackUrl: string;
  log: Log;
  proxyFor: ProxyFor;
  /** Logs why the provider identified nobody, and says what the user is told. */
  refuse: (error: unknown) => ProviderRefusal;
}
