import { hash, randomUUID } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { errors, jwtVerify, SignJWT, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import { ROLES, type Role } from '@gatehouse/schema';
import { ConfigError, jsonIn } from '@gatehouse/runtime';
import { isMoment, privateKeyOf, signingKey, type SigningKey } from '../keys/keys.ts';
import type { Keys } from '../keys/watch-keys.ts';

export interface TokenClaims {
  kind: 'claims';
  accountId: string;
  sessionId: string;
  /** The role when it was issued; the cached session has the current one. */
  role: Role;
  /** Its `jti`. */
  tokenId: string;
  /** In epoch seconds. */
  issuedAt: number;
  /** In epoch seconds. */
  expiresAt: number;
}

/** Why a token is refused; only genuine tokens can be `token_expired`. */
export interface TokenRefusal {
  kind: 'refused';
  code: 'token_invalid' | 'token_expired';
}

export interface TokenSubject {
  accountId: string;
  sessionId: string;
  role: Role;
}

interface TokenRules {
  issuer: string;
  audience: string;
  lifetimeSeconds: number;
  leewaySeconds: number;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * Signs and verifies access tokens (RFC 9068).
 *
 * The leeway for differing clocks applies to `iat` and `nbf`, not to `exp`. A token ends at its `exp`, and never
 * later than `lifetimeSeconds` (plus leeway) after its `iat`: when an operator lowers the lifetime, earlier tokens
 * expire by the new rule and their clients refresh; raising it changes nothing for them. A token whose lifetime is
 * longer than can be configured (24 h) is refused.
 *
 * The digest of a verified token is cached until the token expires, so that each process verifies a token once. When a
 * key is removed, its tokens are removed from the cache.
 *
 * @throws {ConfigError} for a lifetime over 24 h.
 */
export function createTokens(
  options: TokenRules & {
    keys: Keys;
    /** The current time in milliseconds since the epoch. */
    now?: () => number;
    memoryMax?: number;
  },
) {
  const { keys, lifetimeSeconds, now = Date.now } = options;
  if (lifetimeSeconds > LIFETIME_MAX_SECONDS)
    throw new ConfigError(`access tokens live ${LIFETIME_MAX_SECONDS} seconds at most`);
  // By their digests, so that a dump of the process’s memory contains no usable tokens.
  const verified = new LRUCache<string, { kid: string; claims: TokenClaims }>({
    max: options.memoryMax ?? 50_000,
  });
  keys.onChange((removedKids) => {
    for (const [digest, { kid }] of verified.entries())
      if (removedKids.includes(kid)) verified.delete(digest);
  });

  const firstVerify = async (token: string, digest: string, key: SigningKey) => {
    const claims = await verifyClaims(token, key, options, now());
    if (claims.kind === 'refused') return claims;
    // The key may have been removed while the signature was verified.
    if (!keys.current().has(key.kid)) return INVALID;
    verified.set(digest, { kid: key.kid, claims });
    return claims;
  };

  return {
    /** Issues a token for a session; `expiresAt` is in epoch seconds. */
    sign(session: TokenSubject): Promise<{ token: string; expiresAt: number }> {
      const issuedAt = Math.floor(now() / 1000);
      return signToken(session, signingKey(keys.current(), issuedAt), options, issuedAt);
    },

    /** The claims of a token, or why it is refused: synchronous for a cached token, otherwise a promise. */
    verify(token: string): TokenClaims | TokenRefusal | Promise<TokenClaims | TokenRefusal> {
      const digest = hash('sha256', token, 'base64');
      const known = verified.get(digest)?.claims;
      if (known !== undefined) return isOver(known, now()) ? EXPIRED : known;
      const kid = readKid(token);
      const key = kid === undefined ? undefined : keys.current().get(kid);
      return key === undefined ? INVALID : firstVerify(token, digest, key);
    },
  };
}

/** Retired keys are kept slightly longer than this (`keys rotate --retire-seconds`). */
export const LIFETIME_MAX_SECONDS = 86_400;
export const INVALID: TokenRefusal = { kind: 'refused', code: 'token_invalid' };
export const EXPIRED: TokenRefusal = { kind: 'refused', code: 'token_expired' };

async function signToken(session: TokenSubject, key: SigningKey, rules: TokenRules, issuedAt: number) {
  const expiresAt = issuedAt + rules.lifetimeSeconds;
  const token = await signJwt(key, 'at+jwt', {
    sid: session.sessionId,
    role: session.role,
    iss: rules.issuer,
    aud: rules.audience,
    sub: session.accountId,
    jti: randomUUID(),
    iat: issuedAt,
    exp: expiresAt,
  });
  return { token, expiresAt };
}

export function signJwt(key: SigningKey, typ: string, claims: JWTPayload): Promise<string> {
  const { kid, publicJwk } = key;
  return new SignJWT(claims).setProtectedHeader({ alg: publicJwk.alg, typ, kid }).sign(privateKeyOf(key));
}

async function verifyClaims(token: string, key: SigningKey, rules: TokenRules, nowMs: number) {
  const { issuer, audience } = rules;
  const requiredClaims = ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'exp', 'role'];
  const claims = await verifyJwt(
    token,
    key,
    { ...rules, nowMs, expected: { issuer, audience, requiredClaims } },
    readClaims,
  );
  return claims.kind === 'claims' && isOver(claims, nowMs) ? EXPIRED : claims;
}

/** What `read` makes of the claims of a genuine access token, or why it is refused. */
export async function verifyJwt<Claims>(
  token: string,
  key: SigningKey,
  rules: Pick<TokenRules, 'lifetimeSeconds' | 'leewaySeconds'> & {
    nowMs: number;
    expected: JWTVerifyOptions;
  },
  read: (payload: JWTPayload, ageMaxSeconds: number) => Claims | undefined,
): Promise<Claims | TokenRefusal> {
  const { lifetimeSeconds, leewaySeconds, nowMs, expected } = rules;
  const ageMaxSeconds = lifetimeSeconds + leewaySeconds;
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      ...expected,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      currentDate: new Date(nowMs),
      clockTolerance: leewaySeconds,
      maxTokenAge: lifetimeSeconds,
    });
    return read(payload, ageMaxSeconds) ?? INVALID;
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      return read(error.payload, ageMaxSeconds) === undefined ? INVALID : EXPIRED;
    if (error instanceof errors.JOSEError) return INVALID;
    throw error;
  }
}

/** Validates the claims and converts them to our names. jose has already checked issuer, audience and times. */
function readClaims(payload: Record<string, unknown>, ageMaxSeconds: number): TokenClaims | undefined {
  const { sub, sid, jti, role, aud, iat, exp } = payload;
  // jose also accepts an array that contains our audience, but it must be the only one.
  if (typeof aud !== 'string' || typeof jti !== 'string' || jti === '') return undefined;
  if (!isUuid(sub) || !isUuid(sid) || !isRole(role) || !isMoment(iat) || !isMoment(exp)) return undefined;
  if (exp <= iat || exp - iat > LIFETIME_MAX_SECONDS) return undefined;
  const expiresAt = Math.min(exp, iat + ageMaxSeconds);
  return { kind: 'claims', accountId: sub, sessionId: sid, role, tokenId: jti, issuedAt: iat, expiresAt };
}

/** jose also applies its clock tolerance to `exp`; ours has none. */
export function isOver(claims: Pick<TokenClaims, 'expiresAt'>, nowMs: number): boolean {
  return nowMs >= claims.expiresAt * 1000;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

/** Of a token, in characters. */
const TOKEN_MAX = 4096;
/** r and s of P-256, 32 bytes each (RFC 7518 §3.4): never DER. */
const SIGNATURE_BYTES = 64;

/**
 * The `kid` of a text that is spelled exactly like our access tokens; nothing is verified.
 *
 * The grammar allows one spelling only: three parts of canonical base64url, two of them JSON as `JSON.stringify`
 * writes it (no repeated member, no space, no unnecessary escape), the header exactly `alg`, `typ` and `kid`. So the
 * token never says how to verify it (`jwk`, `jku`, `x5u`, `crit`, …), and no two parsers can read it differently.
 */
export function readKid(token: string): string | undefined {
  if (token.length > TOKEN_MAX) return undefined;
  const [headerPart, payloadPart, signaturePart, ...more] = token.split('.');
  if (headerPart === undefined || payloadPart === undefined || signaturePart === undefined) return undefined;
  if (more.length > 0 || readBytes(signaturePart)?.length !== SIGNATURE_BYTES) return undefined;
  const header = readObject(headerPart);
  if (header === undefined || readObject(payloadPart) === undefined) return undefined;
  const { alg, typ, kid } = header;
  if (Object.keys(header).length !== 3 || alg !== 'ES256' || typ !== 'at+jwt') return undefined;
  return typeof kid === 'string' ? kid : undefined;
}

function readObject(part: string): Record<string, unknown> | undefined {
  const bytes = readBytes(part);
  if (bytes === undefined || !isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  const value = jsonIn(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // A non-null object that is not an array has string keys.
  return JSON.stringify(value) === text ? (value as Record<string, unknown>) : undefined;
}

/** Node also decodes padding, the other alphabet and surplus bits: only canonical base64url is accepted. */
function readBytes(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
