import { isIP } from 'node:net';
import { lookUpName, nameOf, sendBounded, type LookUpName, type ProxyFor } from '@gatehouse/runtime';
import type { CustomFetchOptions } from 'openid-client';

const BYTES_MAX = 262_144;

/**
 * `fetch` for requests to an identity provider. Everything ends with `deadline`, and only a limited number of bytes is
 * read, so that a response that never ends costs neither time nor memory.
 */
export function boundedFetch(
  deadline: AbortSignal,
  { proxyFor, lookUp = lookUpName }: { proxyFor: ProxyFor; lookUp?: LookUpName },
) {
  return async (address: string, options: CustomFetchOptions): Promise<Response> => {
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
