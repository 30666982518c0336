import { createTokenCheck } from './check-token.ts';
import { EndedSessions } from './ended-sessions.ts';
import { createKeySet, type Fetch } from './key-set.ts';
import { describeResource, type ProtectedResource, type ResourceOptions } from './resource.ts';
import { refused, unavailable, type Caller, type Verdict, refusedBy } from './verdict.ts';
import { createHash } from 'node:crypto';
import { BoundedMap } from './bounded-map.ts';

/**
 * How a verifier learns that a session has ended. `feed`: it follows all endings, using a static API token of the role
 * `Feed`; no request waits for a call. `ask`: it asks Gatehouse about each token, at most every two seconds.
 * `'none'`: a token is valid until it expires.
 */
export type Revocation = { feed: { token: string } } | { ask: true } | 'none';

export interface VerifierOptions {
  /** The `ISSUER` of the installation: its public base URL, with or without a slash at the end. */
  issuer: string;
  /** The address where this service reaches Core; the issuer by default. */
  url?: string;
  /**
   * The audience of tokens: `gatehouse` by default; for tokens of applications, the `resource` that they asked for, or
   * their client ID.
   */
  audience?: string;
  /**
   * Makes it known where applications get tokens for your API (RFC 9728), whose URL is then the `audience`. Serve what it
   * says with `gatehouse` or `resourceMetadata`.
   */
  resource?: ResourceOptions;
  revocation: Revocation;
  /** What to do while the feed has been silent for more than 30 s: refuse with 503, accept, or ask about each token. */
  onStale?: 'closed' | 'open' | 'ask';
  /** The tolerated clock difference; 60 by default. */
  leewaySeconds?: number;
  /** The maximum number of cached tokens; 10,000 by default. */
  memoryMax?: number;
  /**
   * Called when the feed disconnects (it reconnects by itself), and when genuine tokens are refused because of `issuer`
   * or `audience`. The same problem is reported once, until it is over.
   */
  onError?: (error: Error) => void;
  fetch?: Fetch;
  /** The time in milliseconds since the epoch. It also measures durations, for which the default is a monotonic clock. */
  now?: () => number;
}

export interface Verifier {
  /** Checks an access token: who the caller is, and whether the session is still active. */
  verify(token: string): Promise<Verdict>;
  /** The same for the `Authorization` header of a request. */
  verifyHeader(authorization: string | undefined): Promise<Verdict>;
  /**
   * Calls `onEnded` once a session, or an application's part of one (`clientSessionId`), has ended, so that you can close
   * your own streams of it. Returns a function that stops watching.
   *
   * @throws {Error} without the feed.
   */
  watch(sessionId: string, onEnded: () => void): () => void;
  /** What your API says of itself, if you have described it. */
  readonly resource?: ProtectedResource | undefined;
  /** Whether the feed is up to date; always true without the feed. */
  readonly isFresh: boolean;
  /** Stops all background work. */
  close(): void;
}

/** Creates a verifier of access tokens for your service (docs/verify.md). */
export function createVerifier(options: VerifierOptions): Verifier {
  requireOptions(options);
  const { issuer, audience = 'gatehouse', revocation, onStale = 'closed', onError = () => {} } = options;
  const { leewaySeconds = 60, memoryMax = 10_000, fetch = globalThis.fetch, now = Date.now } = options;
  const resource = options.resource && describeResource(issuer, audience, options.resource);
  const url = (options.url ?? issuer).replace(/\/$/, '');
  // A monotonic clock, so that changes of the system time do not matter.
  const elapsed = options.now ?? (() => performance.now());
  const keys = createKeySet(`${url}/.well-known/jwks.json`, fetch, elapsed);
  const check = createTokenCheck(keys, { issuer, audience, leewaySeconds, memoryMax, now, onError });
  const ask = createTokenLookup(`${url}/ping/auth`, { fetch, now: elapsed, memoryMax });
  const isAsking = revocation !== 'none' && 'ask' in revocation;
  const ended =
    revocation !== 'none' && 'feed' in revocation
      ? new EndedSessions({
          ...{ url, token: revocation.feed.token, leewaySeconds, fetch, now, elapsed },
          onError,
        })
      : undefined;

  const standing = (caller: Caller, token: string): Verdict | Promise<Verdict> => {
    // Gatehouse answers only about its own tokens.
    const isAskable = caller.app === undefined;
    if (isAsking) return isAskable ? ask(token, caller) : unavailable(FEED_NEEDED);
    const code = ended?.codeOf(caller.sessionId ?? '') ?? ended?.codeOf(caller.app?.clientSessionId ?? '');
    if (code !== undefined) return refused(code);
    if (ended === undefined || ended.isFresh || onStale === 'open') return caller;
    return onStale === 'ask' && isAskable ? ask(token, caller) : unavailable('the feed of endings is silent');
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
    resource,
    get isFresh() {
      return ended === undefined || ended.isFresh;
    },
    close: () => ended?.close(),
  };
}

/** For callers in JavaScript: names what is missing. */
function requireOptions({ issuer, revocation }: Partial<VerifierOptions> = {}): void {
  if (typeof issuer !== 'string' || !URL.canParse(issuer))
    throw new TypeError(
      'createVerifier: issuer is required, the ISSUER of Gatehouse, such as https://auth.example.com',
    );
  const isGiven =
    revocation === 'none' ||
    (typeof revocation === 'object' && ('ask' in revocation || typeof revocation.feed?.token === 'string'));
  if (!isGiven)
    throw new TypeError(
      "createVerifier: revocation is required: { feed: { token } }, { ask: true } or 'none' (docs/verify.md)",
    );
}

const FEED_NEEDED = 'tokens of applications need the feed';

/** RFC 6750 §2.1. */
const BEARER = /^bearer +([\w.~+/-]{1,8192}=*)$/i;
/** docs/api-tokens.md */
const STATIC_TOKEN = /^sat_[0-9A-Za-z]{49}$/;

const TIMEOUT_MS = 3000;
/** How late a revocation may take effect, and how long a refused token is not asked about again. */
const GOOD_MS = 2000;
const REFUSED_MS = 10_000;

/** Asks Gatehouse about a token that has a valid format, each at most once every two seconds. */
function createTokenLookup(
  url: string,
  { fetch, now, memoryMax }: { fetch: Fetch; now: () => number; memoryMax: number },
): (token: string, local?: Caller) => Promise<Verdict> {
  const known = new BoundedMap<{ verdict: Promise<Verdict>; until: number }>(memoryMax);

  return async (token, local) => {
    const digest = createHash('sha256').update(token).digest('base64');
    const earlier = known.get(digest);
    if (earlier !== undefined && now() < earlier.until) return await earlier.verdict;
    const entry = { verdict: requestVerdict(url, fetch, token, local), until: now() + TIMEOUT_MS };
    known.set(digest, entry);
    const verdict = await entry.verdict;
    if (verdict.kind === 'unavailable') known.delete(digest);
    else entry.until = now() + (verdict.kind === 'caller' ? GOOD_MS : REFUSED_MS);
    return verdict;
  };
}

async function requestVerdict(url: string, fetch: Fetch, token: string, local?: Caller): Promise<Verdict> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    const { status, headers } = response;
    if (status === 401) return refusedBy(headers.get('x-auth-error'));
    const role = headers.get('x-auth-role');
    if (status !== 200 || role === null) return unavailable(`Gatehouse has answered ${status}`);
    return {
      kind: 'caller',
      role: role as Caller['role'], // Gatehouse's own word
      accountId: headers.get('x-auth-account') ?? undefined,
      sessionId: headers.get('x-auth-session') ?? undefined,
      expiresAt: local?.expiresAt,
    };
  } catch {
    return unavailable('Gatehouse does not answer');
  }
}
