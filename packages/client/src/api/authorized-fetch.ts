import type { Access } from '../session/access-token.ts';
import { isEndedCode } from '../session/ending.ts';
import { errorOf, ownError } from './gatehouse-error.ts';
import { withRetries, type Fetch } from './send-json.ts';

interface Deps {
  fetch: Fetch;
  /** Returns a valid token. If `refused` is given, a different one. */
  access: (refused?: Access) => Promise<Access>;
  /** Whether the token may be sent to this origin. */
  isTrusted: (origin: string) => boolean;
  /** The base URL for relative addresses. */
  base: string;
  /** Called if a response says that the session is over. */
  onEnded: () => void;
}

const REPEATABLE = /^(GET|HEAD|OPTIONS|PUT|DELETE)$/;

/**
 * `fetch` with the access token. If the server says that the token has expired, it is renewed and the request is sent
 * again, once. Responses of any status are returned, as `fetch` does.
 *
 * @throws {TypeError} for an origin that must not receive tokens.
 * @throws {GatehouseError} if nobody is signed in, or if another session has replaced this one before the retry.
 */
export function createAuthorizedFetch({ fetch, access, isTrusted, base, onEnded }: Deps): Fetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, base), init);
    const { origin } = new URL(request.url);
    if (!isTrusted(origin)) throw new TypeError(`${origin} may not see tokens`);

    const sendWith = ({ token }: Access): Promise<Response> =>
      withRetries(
        () => {
          const one = request.clone();
          one.headers.set('authorization', `Bearer ${token}`);
          return fetch(one);
        },
        { isRepeatable: REPEATABLE.test(request.method), signal: request.signal },
      );

    const first = await access();
    const response = await sendWith(first);
    if (response.status !== 401) return response;
    const code = response.headers.get('x-auth-error') ?? (await errorOf(response.clone())).code;
    if (isEndedCode(code)) onEnded();
    if (code !== 'token_expired') return response;
    const second = await access(first);
    if (second.session.id !== first.session.id) throw ownError('superseded');
    return sendWith(second);
  };
}
