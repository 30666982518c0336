import { CLOCK_SECONDS_MAX } from '@gatehouse/auth-core';
import type { ProxyFor } from '@gatehouse/runtime';
import * as client from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** The limit for all requests of one callback: less than 4.5 s, in which every request is answered. */
export const TALK_MS = 3500;
/** The limit for a single request. */
export const ANSWER_SECONDS = 3;

/** How long a talk may last, and which way it takes. */
export interface Way {
  deadline: AbortSignal;
  proxyFor: ProxyFor;
}

/** The library's configuration for requests to a provider. */
export function talkTo(
  { clientId, issuer }: ProviderSettings,
  metadata: client.ServerMetadata,
  authentication: client.ClientAuth,
  { deadline, proxyFor }: Way,
): client.Configuration {
  const clock = { [client.clockTolerance]: CLOCK_SECONDS_MAX };
  const config = new client.Configuration(metadata, clientId, clock, authentication);
  config.timeout = ANSWER_SECONDS;
  config[client.customFetch] = boundedFetch(deadline, { proxyFor });
  for (const extension of insecureFor(issuer)) extension(config);
  return config;
}

/** Plain HTTP is allowed only for providers on this machine, which the check of the settings ensures. */
export function insecureFor(issuer: string): ((config: client.Configuration) => void)[] {
  return issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
}
