import type { CustomFetchOptions } from 'openid-client';

const BYTES_MAX = 262_144;

/**
 * `fetch` for requests to an identity provider. Everything ends with `deadline`, and only a limited number of bytes is
 * read, so that a response that never ends costs neither time nor memory.
 */
export function boundedFetch(deadline: AbortSignal) {
  return async (url: string, options: CustomFetchOptions): Promise<Response> => {
    const signals = [deadline, ...(options.signal ? [options.signal] : [])];
    const { method, body: given = null, headers: sent } = options;
    const request = {
      method,
      body: given as NonNullable<RequestInit['body']> | null, // any bytes are in an ArrayBuffer, never in shared memory
      headers: sent,
      redirect: 'manual',
      signal: AbortSignal.any(signals),
    } as const;
    const response = await fetch(url, request);
    const { status, statusText, headers } = response;
    const body = await readBody(response);
    return new Response(body.length === 0 ? null : body, { status, statusText, headers });
  };
}

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    // The chunks of Node's fetch are bytes.
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > BYTES_MAX) throw new TypeError('the answer of the identity provider is too long');
    chunks.push(bytes);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
