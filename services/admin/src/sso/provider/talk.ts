import { isIP } from 'node:net';
import { CLOCK_SECONDS_MAX } from '@gatehouse/auth-core';
import { lookUpName, nameOf, sendBounded, type LookUpName, type ProxyFor } from '@gatehouse/runtime';
import * as client from 'openid-client';
import type { ProviderSettings } from './provider-settings.ts';

/** The limit for all requests of one callback: less than 4.5 s, in which every request is answered. */
export const TALK_MS = 3500;
/** The limit for a single request. */
export const ANSWER_SECONDS = 3;

export interface Way {
  deadline: AbortSignal;
  proxyFor: ProxyFor;
}

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

const BYTES_MAX = 262_144;

/** `fetch` that ends with `deadline` and reads few bytes, so that an endless response costs no time or memory. */
export function boundedFetch(
  deadline: AbortSignal,
  { proxyFor, lookUp = lookUpName }: { proxyFor: ProxyFor; lookUp?: LookUpName },
) {
  return async (address: string, options: client.CustomFetchOptions): Promise<Response> => {
    const { method, body: given, headers, signal } = options;
    // Any bytes are in an ArrayBuffer, never in shared memory.
    const body = Buffer.from(await new Response(given as BodyInit | null | undefined).arrayBuffer());
    const url = new URL(address);
    const ends = AbortSignal.any([deadline, ...(signal ? [signal] : [])]);
    const request = {
      ...{ method, body, bytesMax: BYTES_MAX, signal: ends },
      headers: { ...headers, ...(body.length > 0 && { 'content-length': body.length }) },
    };
    const answer = await answerOf(async () => {
      const [name, proxy] = [nameOf(url), proxyFor(url)];
      // Behind a proxy, names of the outside often have no address.
      const isKnown = isIP(name) !== 0 || proxy !== undefined;
      const addresses = isKnown ? [name] : await lookUp(name, ends);
      return await sendBounded(url, { ...request, addresses, proxy });
    });
    if (!answer.isWhole) throw new TypeError('the answer of the identity provider is too long');
    return new Response(answer.body.length === 0 ? null : Uint8Array.from(answer.body), {
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
  };
}

/** As `fetch` does, it throws a TypeError if there is no connection, or if it breaks. */
async function answerOf<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw new TypeError('the identity provider did not answer', { cause: error });
  }
}
