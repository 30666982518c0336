import { createHash, hash, randomUUID } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import { ID_TOKEN_ALGS } from '@gatehouse/schema';
import { isMoment, keysFor, signingKey, type KeyAlg, type KeySet, type SigningKey } from '../keys/keys.ts';
import type { Keys } from '../keys/watch-keys.ts';
import { EXPIRED, INVALID, isOver, isUuid, LIFETIME_MAX_SECONDS, readKid } from '../tokens/tokens.ts';
import { signJwt, verifyJwt, type TokenRefusal } from '../tokens/tokens.ts';

export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number];

export interface IdTokenFacts {
  alg: IdTokenAlg;
  clientId: string;
  accountId: string;
  sessionId: string;
  nonce?: string | undefined;
  /** When the owner of the session proved who they are; `undefined` if the identity provider did not say. */
  authenticatedAt?: Date | undefined;
  /** How, in the words of `user_session`. */
  authenticatedBy: readonly string[];
  /** When the sign-in ends, if before its session; epoch seconds. */
  endsAt?: number | undefined;
  /** The access token that is issued with it. */
  accessToken?: string | undefined;
  /** The claims about the account (`claimsOf`). */
  claims?: Readonly<Record<string, unknown>> | undefined;
}

/** What a client's access token is for. Without an account it is the client's own (client credentials). */
export interface ClientGrant {
  clientId: string;
  /** The API that it is for; by default the client itself. */
  audience: string;
  scopes: readonly string[];
  account?: { accountId: string; sessionId: string; clientSessionId: string } | undefined;
}

export interface ClientTokenClaims extends ClientGrant {
  kind: 'claims';
  /** In epoch seconds. */
  issuedAt: number;
  /** In epoch seconds. */
  expiresAt: number;
}

/** The content of an ID token that a client shows again. */
export interface IdTokenHint {
  clientId: string;
  /** `undefined` if the key that signed it is not known any more: then anybody could have written it. */
  about: { accountId: string; sessionId: string } | undefined;
}

interface LogoutFacts {
  /** As the client wants its ID tokens signed. */
  alg: 'RS256' | 'ES256';
  clientId: string;
  accountId: string;
  sessionId: string;
}

interface Options {
  keys: ClientKeys;
  issuer: string;
  /** The audience of our own APIs, which no client's token ever has. */
  ownAudience: string;
  lifetimeSeconds: number;
  leewaySeconds: number;
  /** The current time in milliseconds since the epoch. */
  now?: () => number;
}

export type ClientTokens = ReturnType<typeof createClientTokens>;

/**
 * Signs and reads the tokens of clients (OpenID Connect Core §2, RFC 9068). Our own APIs accept none: they have other
 * keys. An access token of a client also has another audience and no `role`, an ID token another `typ`.
 */
export function createClientTokens(options: Options) {
  const { keys, issuer, ownAudience, lifetimeSeconds, now = Date.now } = options;
  const nowSeconds = (): number => Math.floor(now() / 1000);
  const endOf = (at: number, endsAt = Infinity): number => Math.min(at + lifetimeSeconds, endsAt);
  // By their digests, as those of our own access tokens.
  const verified = new LRUCache<string, ClientTokenClaims>({ max: 50_000 });

  return {
    signIdToken(facts: IdTokenFacts): Promise<string> {
      const at = nowSeconds();
      const key = keys.signingKey(facts.alg, at);
      const about = { iss: issuer, aud: facts.clientId, sub: facts.accountId };
      const exp = endOf(at, facts.endsAt);
      return signJwt(key, ID_TOKEN, { ...idTokenClaims(facts), ...about, iat: at, exp });
    },

    signLogoutToken: (logout: LogoutFacts) => signLogoutToken(options, logout, nowSeconds()),

    /** Ends with its sign-in (`endsAt`, epoch seconds), for local checks. @throws {Error} for our own audience. */
    async signAccessToken(grant: ClientGrant & { endsAt?: number | undefined }) {
      const { clientId, audience, scopes, account, endsAt } = grant;
      if (audience === ownAudience) throw new Error('a client gets no token for our own APIs');
      const at = nowSeconds();
      const key = keys.signingKey('ES256', at);
      const exp = endOf(at, endsAt);
      const token = await signJwt(key, 'at+jwt', {
        client_id: clientId,
        scope: scopes.join(' '),
        ...(account && { sid: account.sessionId, client_session: account.clientSessionId }),
        iss: issuer,
        aud: audience,
        sub: account?.accountId ?? clientId,
        jti: randomUUID(),
        iat: at,
        exp,
      });
      return { token, expiresInSeconds: exp - at };
    },

    /** The caller checks the state of the session. A signature is verified once, but its key asked for every time. */
    async verifyAccessToken(token: string): Promise<ClientTokenClaims | TokenRefusal> {
      const kid = readKid(token);
      const found = kid === undefined ? undefined : keys.find('ES256', kid);
      if (found === undefined) return INVALID;
      const digest = hash('sha256', token, 'base64');
      const read = verified.get(digest) ?? (await verifyAccessToken(token, found.key, options, now()));
      if (read.kind === 'refused') return read;
      if (!found.isForTokensOf(read.issuedAt)) return INVALID;
      if (isOver(read, now())) return EXPIRED;
      verified.set(digest, read);
      return read;
    },

    readIdTokenHint: (hint: string) => readIdTokenHint(hint, options),
  };
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** What the specification recommends. */
const LOGOUT_SECONDS = 120;
const ID_TOKEN = 'JWT';
const HINT_ALGS: ReadonlySet<string> = new Set(ID_TOKEN_ALGS);
/** With 50 groups of 100 characters an ID token has at most half of it. */
const HINT_MAX = 16_384;

function idTokenClaims(facts: IdTokenFacts): Record<string, unknown> {
  const { sessionId, nonce, authenticatedAt, authenticatedBy, accessToken, claims } = facts;
  return {
    ...claims,
    sid: sessionId,
    amr: [...new Set(authenticatedBy.flatMap((method) => AMR.get(method) ?? []))],
    ...(authenticatedAt && { auth_time: Math.floor(authenticatedAt.getTime() / 1000) }),
    ...(nonce !== undefined && { nonce }),
    ...(accessToken !== undefined && { at_hash: atHashOf(accessToken) }),
  };
}

/** Tells a client that a session has ended (OpenID Connect Back-Channel Logout 1.0 §2.4): short-lived, each unique. */
async function signLogoutToken(
  { keys, issuer }: Options,
  { alg, clientId, accountId, sessionId }: LogoutFacts,
  at: number,
): Promise<{ token: string; expiresAt: Date }> {
  const key = keys.signingKey(alg, at);
  const exp = at + LOGOUT_SECONDS;
  const token = await signJwt(key, 'logout+jwt', {
    sid: sessionId,
    events: { [LOGOUT_EVENT]: {} },
    iss: issuer,
    aud: clientId,
    sub: accountId,
    jti: randomUUID(),
    iat: at,
    exp,
  });
  return { token, expiresAt: new Date(exp * 1000) };
}

/** The names of RFC 8176 for the methods that `user_session` records. `fed` is what identity providers agreed on. */
const AMR: ReadonlyMap<string, string> = new Map([
  ['password', 'pwd'],
  ['second-factor', 'otp'],
  ['mail-code', 'otp'],
  ['passkey', 'hwk'],
  ['sign-on', 'fed'],
]);

/** OpenID Connect Core §3.1.3.6: the left half of the hash that the signature uses, SHA-256 with both algorithms. */
function atHashOf(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

async function verifyAccessToken(token: string, key: SigningKey, options: Options, nowMs: number) {
  const { issuer, ownAudience } = options;
  const requiredClaims = ['iss', 'aud', 'sub', 'client_id', 'scope', 'jti', 'iat', 'exp'];
  const rules = { ...options, nowMs, expected: { issuer, requiredClaims } };
  const claims = await verifyJwt(token, key, rules, readClaims);
  return claims.kind === 'claims' && claims.audience === ownAudience ? INVALID : claims;
}

/** Validates the claims and converts them to our names. jose has already checked issuer and times. */
function readClaims(payload: Record<string, unknown>, ageMaxSeconds: number): ClientTokenClaims | undefined {
  const { sub, aud, jti, scope, iat, exp, sid } = payload;
  const { client_id: clientId, client_session: clientSessionId } = payload;
  if ('role' in payload || typeof aud !== 'string' || aud === '' || typeof scope !== 'string')
    return undefined;
  if (typeof jti !== 'string' || jti === '') return undefined;
  if (!isUuid(sub) || !isUuid(clientId) || !isMoment(iat) || !isMoment(exp)) return undefined;
  if (exp <= iat || exp - iat > LIFETIME_MAX_SECONDS) return undefined;
  const expiresAt = Math.min(exp, iat + ageMaxSeconds);
  const scopes = scope.split(' ').filter((one) => one !== '');
  const common = { kind: 'claims', clientId, audience: aud, scopes, issuedAt: iat, expiresAt } as const;
  if (sid === undefined && clientSessionId === undefined) return sub === clientId ? common : undefined;
  if (!isUuid(sid) || !isUuid(clientSessionId)) return undefined;
  return { ...common, account: { accountId: sub, sessionId: sid, clientSessionId } };
}

/**
 * The content of an ID token of ours, expired or not: it says which session it was about, and gives no access (OpenID
 * Connect Core §3.1.2.1, RP-Initiated Logout §2). An application keeps one for longer than we keep a retired key.
 */
async function readIdTokenHint(hint: string, { keys, issuer }: Options): Promise<IdTokenHint | undefined> {
  if (hint.length > HINT_MAX) return undefined;
  try {
    const { alg = '', kid = '', typ } = decodeProtectedHeader(hint);
    if (typ !== ID_TOKEN || kid === '' || !HINT_ALGS.has(alg)) return undefined;
    const claims = decodeJwt(hint);
    const found = hintOf(claims, issuer);
    const known = keys.find(alg, kid);
    if (known === undefined) return found && { ...found, about: undefined };
    await compactVerify(hint, known.key.publicKey, { algorithms: [known.key.publicJwk.alg] });
    return known.isForTokensOf(claims.iat) ? found : undefined;
  } catch {
    return undefined;
  }
}

function hintOf(claims: Record<string, unknown>, issuer: string): IdTokenHint | undefined {
  const { iss, aud, sub, sid } = claims;
  if (iss !== issuer || typeof aud !== 'string' || !isUuid(sub) || !isUuid(sid)) return undefined;
  return { clientId: aud, about: { accountId: sub, sessionId: sid } };
}

export type ClientKeys = ReturnType<typeof createClientKeys>;

/**
 * The keys of what clients are told: ID tokens, logout tokens and the access tokens of clients. They are Core's alone,
 * unlike those of our own access tokens, which Admin has, too. A set that has only keys for RS256 yet borrows those for
 * ES256, until it has one that signs.
 */
export function createClientKeys(sets: Record<'keys' | 'idTokenKeys', Pick<Keys, 'current'>>) {
  const { keys, idTokenKeys } = sets;
  const ownFor = (alg: KeyAlg): KeySet => keysFor(idTokenKeys.current(), alg);

  /** When the own keys begin to sign with ES256, in epoch seconds. */
  const ownSince = (): number => {
    const [first] = ownFor('ES256').values();
    return first?.signsFrom ?? Infinity;
  };

  return {
    ownSince,
    own: () => idTokenKeys.current(),

    signingKey(alg: KeyAlg, atSeconds: number): SigningKey {
      const isBorrowed = alg === 'ES256' && atSeconds < ownSince();
      return signingKey(isBorrowed ? keys.current() : ownFor(alg), atSeconds);
    },

    /** The key of a token; what a borrowed key has signed counts only from the time when it was needed. */
    find(
      alg: unknown,
      kid: string,
    ): { key: SigningKey; isForTokensOf(issuedAt: number | undefined): boolean } | undefined {
      const own = idTokenKeys.current().get(kid);
      if (own !== undefined) return { key: own, isForTokensOf: () => alg === own.publicJwk.alg };
      const key = keys.current().get(kid);
      return key && { key, isForTokensOf: (issuedAt = Infinity) => alg === 'ES256' && issuedAt < ownSince() };
    },

    /** The sets whose public halves clients need. */
    published: (atSeconds: number): KeySet[] => [
      ...(atSeconds < ownSince() ? [keys.current()] : []),
      idTokenKeys.current(),
    ],
  };
}
