import { STATIC_TOKEN_PREFIX, type StaticTokens } from './static-tokens/api-token.ts';
import { refusalOf, type SessionCache, type Reading } from '@gatehouse/redis';
import type { Role } from '@gatehouse/schema';
import type { BrowserPurpose, BrowserSessions, BrowserSite } from './browser/browser-session.ts';
import type { Caller, Credential, Refusal, Replacement } from './caller.ts';
import type { TokenClaims, TokenRefusal } from './tokens/tokens.ts';

/** The cookie of a browser session, not verified yet. */
export interface ShownCookie {
  purpose: BrowserPurpose;
  value: string;
}

type Verdict = Caller | Refusal;
type Authenticate = (
  authorization: string | undefined,
  cookie?: ShownCookie,
  address?: string,
) => Verdict | Promise<Verdict>;

/** By a bearer token or, without an `Authorization` header, a browser’s cookie. Synchronous if nothing is awaited. */
export interface Auth {
  readonly sites: readonly BrowserSite[];
  /** Checks only the credential, sent from `address`; the caller checks the state of its session. */
  verify: Authenticate;
  /** Checks the credential, and that its session is active. */
  authenticate: Authenticate;
  /** Long requests must not outlive a revocation; an access token that expired meanwhile is no reason to refuse. */
  recheckAccess(
    caller: Caller,
    authorization: string | undefined,
    address?: string,
  ): Verdict | Promise<Verdict>;
  /** Whether a caller may do what requires a fresh proof of identity: a static token does if it has no restrictions. */
  isConfirmed(caller: Caller): boolean | Promise<boolean>;
}

export interface AuthOptions {
  tokens: { verify(token: string): TokenClaims | TokenRefusal | Promise<TokenClaims | TokenRefusal> };
  staticTokens: Pick<StaticTokens, 'check'>;
  /** Browser sessions, and the sites whose cookies are accepted; none by default. */
  browser?: { sessions: Pick<BrowserSessions, 'read'>; sites: readonly BrowserSite[] };
  sessionCache: SessionCache;
  idleSeconds: number;
  /** By permanent storage: who can write to Redis could forge a copy, or restore one from before a demotion. */
  confirmsAdministrators?: boolean;
  /** Finds the login that replaced a session; must be fast. */
  findReplacement: (session: Reading['session']) => Promise<Replacement | undefined>;
  /** Whether the caller with a session may do what requires a fresh proof of identity; never by default. */
  isConfirmed?: (caller: Extract<Caller, { kind: 'session' }>) => Promise<boolean>;
  /** Called for an expired session, so that its end is recorded. */
  onLapsed: (reading: Reading) => void;
}

/** Creates the authentication of all endpoints that are not public (RFC 6750). */
export function createAuth(options: AuthOptions): Auth {
  const { tokens, staticTokens, browser, sessionCache, idleSeconds, findReplacement, onLapsed } = options;
  const { confirmsAdministrators = false, isConfirmed = () => Promise.resolve(false) } = options;

  const verify: Authenticate = (authorization, cookie, address) => {
    if (authorization === undefined && cookie !== undefined) {
      const { purpose, value } = cookie;
      const session = browser?.sessions.read(purpose, value);
      // The lowest role; the actual role is read with the session.
      return session === undefined
        ? { kind: 'refused', code: 'token_invalid' }
        : { kind: 'session', ...session, role: 'Guest', via: 'cookie', purpose };
    }
    const token = bearerToken(authorization);
    if (typeof token !== 'string') return token;
    if (token.startsWith(STATIC_TOKEN_PREFIX)) return staticTokens.check(token, address);
    const claims = tokens.verify(token);
    return claims instanceof Promise ? claims.then(callerOf) : callerOf(claims);
  };

  const admit = async (caller: Verdict): Promise<Verdict> => {
    if (caller.kind !== 'session') return caller;
    const copy = await sessionCache.read(caller.accountId, caller.sessionId);
    const isToConfirm = copy?.session.role === 'Admin' ? confirmsAdministrators : isAdministrators(caller);
    const reading = copy !== undefined && isToConfirm ? await sessionCache.confirm(copy) : copy;
    if (reading === undefined) return { kind: 'refused', code: 'session_ended' };
    const code = refusalOf(reading, idleSeconds);
    if (code !== undefined) {
      if (code === 'session_expired') onLapsed(reading);
      if (code !== 'session_replaced') return { kind: 'refused', code };
      return { kind: 'refused', code, replacedBy: await findReplacement(reading.session) };
    }
    return { ...caller, role: roleOf(caller, reading.session.role) };
  };

  return {
    sites: browser?.sites ?? [],
    verify,
    authenticate: (authorization, cookie, address) => {
      const caller = verify(authorization, cookie, address);
      if (caller instanceof Promise) return caller.then(admit);
      return caller.kind === 'session' ? admit(caller) : caller;
    },
    recheckAccess: (caller, authorization, address) =>
      caller.kind === 'service' ? verify(authorization, undefined, address) : admit(caller),
    isConfirmed: (caller) => (caller.kind === 'service' ? caller.isRestricted !== true : isConfirmed(caller)),
  };
}

/** The token of `Authorization: Bearer …`, strictly by the grammar of RFC 6750 §2.1. */
export function bearerToken(authorization: string | undefined): string | Refusal {
  if (authorization === undefined) return { kind: 'refused', code: 'token_missing' };
  const [scheme] = SCHEME.exec(authorization) ?? [];
  if (scheme === undefined)
    return { kind: 'refused', code: authorization.trim() === '' ? 'token_missing' : 'token_invalid' };
  const token = authorization.slice(scheme.length);
  // A single regular expression would capture every character, which takes longer.
  const end = token.search(NO_TOKEN_CHARACTER);
  const isToken = end === -1 ? token !== '' : end > 0 && ONLY_PADDING.test(token.slice(end));
  return isToken && token.length <= TOKEN_LENGTH_MAX ? token : { kind: 'refused', code: 'token_invalid' };
}

const SCHEME = /^bearer +/i;
const NO_TOKEN_CHARACTER = /[^A-Za-z0-9._~+/-]/;
const ONLY_PADDING = /^=+$/;
const TOKEN_LENGTH_MAX = 8192;

/**
 * Whether the session was an administrator's when its credential was issued. A copy that says otherwise may be Portal's,
 * which has the key for those of users, and may hide that the session has ended.
 */
function isAdministrators(caller: Extract<Caller, { kind: 'session' }>): boolean {
  return caller.via === 'bearer' ? caller.role === 'Admin' : caller.purpose === 'console';
}

/** A cookie of the account pages gives no administrator rights: the console, which asks for confirmations, does. */
function roleOf(caller: Credential, role: Role): Role {
  const isOfPages = caller.via === 'cookie' && caller.purpose === 'pages';
  return isOfPages && role === 'Admin' ? 'User' : role;
}

function callerOf(claims: TokenClaims | TokenRefusal): Caller | Refusal {
  if (claims.kind === 'refused') return claims;
  const { accountId, sessionId, role, tokenId, expiresAt } = claims;
  return { kind: 'session', accountId, sessionId, role, via: 'bearer', tokenId, tokenExpiresAt: expiresAt };
}
