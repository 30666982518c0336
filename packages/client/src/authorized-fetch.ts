import type { Access } from './access-token.ts';
import { saysEnded } from './ending.ts';
import { errorOf, superseded } from './gatehouse-error.ts';
import type { Fetch } from './send-json.ts';
import { withRetries } from './with-retries.ts';

interface Deps {
  fetch: Fetch;
  /** A token that is good; or, with one that was refused, another one. */
  access: (refused?: Access) => Promise<Access>;
  /** Who may see the token: origins. */
  isTrusted: (origin: string) => boolean;
  /** What an address without an origin is below of. */
  base: string;
  /** An answer says that the session is over. */
  onEnded: () => void;
}

const REPEATABLE = /^(GET|HEAD|OPTIONS|PUT|DELETE)$/i;

/**
 * `fetch` as whoever is signed in. A token that the server takes for expired is renewed and the request sent again, once.
 * Answers of any status are given back, as `fetch` does.
 *
 * @throws {TypeError} for an address of an origin that is not to see tokens.
 * @throws {GatehouseError} where nobody is signed in, or somebody else is by the time of the second try.
 */
export function createAuthorizedFetch({ fetch, access, isTrusted, base, onEnded }: Deps): Fetch {
  return async (input, init = {}) => {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(input instanceof Request ? input.url : input, base);
    if (!isTrusted(url.origin))
      throw new TypeError(`${url.origin} is not one of the origins that may see tokens`);
    const method = init.method ?? request?.method ?? 'GET';
    const body = request?.body ?? init.body;
    const isStream = typeof body === 'object' && body !== null && 'getReader' in body;
    const retrying = {
      isRepeatable: REPEATABLE.test(method) && !isStream,
      signal: init.signal ?? request?.signal,
    };

    const sendWith = ({ token }: Access): Promise<Response> =>
      withRetries(() => {
        const headers = new Headers(init.headers ?? request?.headers);
        headers.set('authorization', `Bearer ${token}`);
        return fetch(isStream || request === undefined ? (request ?? url) : request.clone(), {
          ...init,
          headers,
        });
      }, retrying);

    const first = await access();
    const response = await sendWith(first);
    if (response.status !== 401) return response;
    const code = response.headers.get('x-auth-error') ?? (await errorOf(response.clone())).code;
    if (saysEnded(code)) onEnded();
    if (code !== 'token_expired' || isStream) return response;
    const second = await access(first);
    if (second.sessionId !== first.sessionId) throw superseded();
    return sendWith(second);
  };
}
