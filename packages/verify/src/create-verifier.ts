import { createTokenLookup } from './token-lookup.ts';
import { createTokenCheck } from './check-token.ts';
import { EndedSessions } from './ended-sessions.ts';
import type { Fetch } from './fetch.ts';
import { createKeySet } from './key-set.ts';
import { refused, unavailable, type Caller, type Verdict } from './verdict.ts';

/**
 * How a verifier learns that a session has ended. `feed`: it follows all endings with a static API token of the role
 * `Service`; no request waits for a call. `ask`: it asks Gatehouse about each token, at most every two seconds.
 * `'none'`: a token is good until it expires.
 */
export type Revocation = { feed: { token: string } } | { ask: true } | 'none';

export interface VerifierOptions {
  /** The `ISSUER` of the installation: its public base URL. */
  issuer: string;
  /** Where this service reaches Core; the issuer by default. */
  url?: string;
  /** `gatehouse` by default. */
  audience?: string;
  revocation: Revocation;
  /** What to do while the feed is silent for more than 30 s: refuse with 503, let in, or ask about each token. */
  onStale?: 'closed' | 'open' | 'ask';
  /** Clock difference that is forgiven; 60 by default. */
  leewaySeconds?: number;
  /** How many verified tokens are remembered; 10,000 by default. */
  memoryMax?: number;
  /** Called when the feed breaks off; it reconnects by itself. */
  onError?: (error: unknown) => void;
  fetch?: Fetch;
  /** Milliseconds since the epoch; also measures what has passed, which a clock that does not jump does by default. */
  now?: () => number;
}

export interface Verifier {
  /** Whose an access token is, and whether it gives access now. */
  verify(token: string): Promise<Verdict>;
  /** The same for the `Authorization` header of a request. */
  verifyHeader(authorization: string | undefined): Promise<Verdict>;
  /**
   * Calls back once a session has ended, so that a stream of its own can be closed; returns what ends that.
   *
   * @throws {Error} without the feed.
   */
  watch(sessionId: string, onEnded: () => void): () => void;
  /** Whether an ending would be known by now; true without the feed. */
  readonly isFresh: boolean;
  /** Stops all background work. */
  close(): void;
}

/** Builds what checks access tokens in a service of yours (docs/verify.md). */
export function createVerifier(options: VerifierOptions): Verifier {
  const { issuer, audience = 'gatehouse', revocation, onStale = 'closed' } = options;
  const { leewaySeconds = 60, memoryMax = 10_000, fetch = globalThis.fetch, now = Date.now } = options;
  const url = (options.url ?? issuer).replace(/\/$/, '');
  // What has passed since, whatever happens to the clock.
  const elapsed = options.now ?? (() => performance.now());
  const keys = createKeySet(`${url}/.well-known/jwks.json`, fetch, elapsed);
  const check = createTokenCheck(keys, { issuer, audience, leewaySeconds, memoryMax, now });
  const ask = createTokenLookup(`${url}/ping/auth`, { fetch, now: elapsed, memoryMax });
  const isAsking = revocation !== 'none' && 'ask' in revocation;
  const ended =
    revocation !== 'none' && 'feed' in revocation
      ? new EndedSessions({
          ...{ url, token: revocation.feed.token, leewaySeconds, fetch, now, elapsed },
          onError: options.onError ?? (() => {}),
        })
      : undefined;

  const standing = (caller: Caller, token: string): Verdict | Promise<Verdict> => {
    if (isAsking) return ask(token, caller);
    const code = ended?.codeOf(caller.sessionId ?? '');
    if (code !== undefined) return refused(code);
    if (ended === undefined || ended.isFresh || onStale === 'open') return caller;
    return onStale === 'ask' ? ask(token, caller) : unavailable('the feed of endings is silent');
  };
  const verify = async (token: string): Promise<Verdict> => {
    if (isAsking && STATIC_TOKEN.test(token)) return await ask(token);
    const verdict = await check(token);
    return verdict.kind === 'caller' ? await standing(verdict, token) : verdict;
  };

  return {
    verify,
    verifyHeader: async (authorization) => {
      if (authorization === undefined || authorization === '') return refused('token_missing');
      const token = BEARER.exec(authorization)?.[1];
      return token === undefined ? refused('token_invalid') : await verify(token);
    },
    watch: (sessionId, onEnded) => {
      if (ended === undefined) throw new Error('watching sessions needs the feed');
      return ended.watch(sessionId, onEnded);
    },
    get isFresh() {
      return ended === undefined || ended.isFresh;
    },
    close: () => ended?.close(),
  };
}

/** RFC 6750 §2.1. */
const BEARER = /^bearer ([\w.~+/-]{1,8192}=*)$/i;
/** docs/api-tokens.md */
const STATIC_TOKEN = /^sat_[0-9A-Za-z]{49}$/;
