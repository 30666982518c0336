import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError, newP256Jwk } from '@gatehouse/runtime';

/**
 * An ES256 key. It verifies as long as it is in the set; if it has a private half, it signs from `signsFrom` on.
 */
export interface SigningKey {
  /** The RFC 7638 thumbprint, so that a name can never refer to another key. */
  kid: string;
  /** When it was created, in epoch seconds. */
  issuedAt: number;
  /** When it starts to sign, in epoch seconds: some time after its publication, so that every verifier knows it by then. */
  signsFrom: number;
  /** Absent in a public set, which only verifies. */
  privateKey: KeyObject | undefined;
  publicKey: KeyObject;
  publicJwk: PublicJwk;
}

/** The keys of a set by `kid`, oldest first. */
export type KeySet = ReadonlyMap<string, SigningKey>;

/** A key as published in `/.well-known/jwks.json` (RFC 7517). */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
}

/** A key as stored in a file; `nbf` is when it starts to sign. */
export interface DatedJwk extends PublicJwk {
  iat: number;
  nbf: number;
}

/** A key as stored in the secret file. */
export interface PrivateJwk extends DatedJwk {
  d: string;
}

/**
 * Parses a private JWK set.
 *
 * @throws {ConfigError} that says which key is wrong and why, without its content.
 */
export function parseKeySet(json: string): KeySet {
  return asKeySet(parseJwks(json).map(signingKeyOf));
}

/**
 * Parses a public JWK set, for services that only verify; a private key in it is refused.
 *
 * @throws {ConfigError} as `parseKeySet`.
 */
export function parsePublicKeySet(json: string): KeySet {
  return asKeySet(readSet(json, checkedPublicJwk).map((jwk) => verifyingKeyOf(jwk, publicKeyOf(jwk))));
}

/** The private JWKs of a set, each validated, in the order of the file. */
export function parseJwks(json: string): PrivateJwk[] {
  return readSet(json, checkedJwk);
}

/** The public part of private keys. */
export function withoutPrivate(keys: readonly PrivateJwk[]): DatedJwk[] {
  return keys.map(({ kty, crv, x, y, kid, alg, use, iat, nbf }) => ({
    kty,
    crv,
    x,
    y,
    kid,
    alg,
    use,
    iat,
    nbf,
  }));
}

/** The public half of a private JWK set, for verifiers. @throws {ConfigError} as `parseKeySet`. */
export function publicKeySetOf(json: string): string {
  return JSON.stringify({ keys: withoutPrivate(parseJwks(json)) });
}

function asKeySet(keys: SigningKey[]): KeySet {
  keys.sort((a, b) => a.signsFrom - b.signsFrom || a.issuedAt - b.issuedAt || (a.kid < b.kid ? -1 : 1));
  return new Map(keys.map((key) => [key.kid, key]));
}

function readSet<T extends DatedJwk>(json: string, check: (key: unknown, name: string) => T): T[] {
  let set: unknown;
  try {
    set = JSON.parse(json);
  } catch {
    // The parser's message quotes the text, which is secret.
    throw new ConfigError('the key set is not JSON');
  }
  const keys = isRecord(set) ? set['keys'] : undefined;
  if (!Array.isArray(keys)) throw new ConfigError('the key set has no array "keys"');
  if (keys.length === 0) throw new ConfigError('the key set is empty');
  const jwks = keys.map((key: unknown, index) => check(key, `key ${index + 1} of the key set`));
  if (new Set(jwks.map(({ kid }) => kid)).size < jwks.length)
    throw new ConfigError('the key set holds a key twice');
  return jwks;
}

/** The key that signs at a time (epoch seconds): the newest that already signs, or the oldest if none does. */
export function signingKey(set: KeySet, atSeconds: number): SigningKey {
  let chosen: SigningKey | undefined;
  for (const key of set.values()) {
    if (chosen === undefined || key.signsFrom <= atSeconds) chosen = key;
  }
  if (chosen === undefined) throw new Error('a key set is never empty');
  return chosen;
}

/** The public half of a set. */
export function publicJwks(set: KeySet): { keys: PublicJwk[] } {
  return { keys: [...set.values()].map((key) => key.publicJwk) };
}

/** Creates a key that signs from `signsFrom` on; both times in epoch seconds. */
export function newKey(issuedAt: number, signsFrom: number): PrivateJwk {
  const jwk = newP256Jwk();
  const kid = thumbprint(jwk.x, jwk.y);
  return { ...jwk, kid, alg: 'ES256', use: 'sig', iat: issuedAt, nbf: signsFrom };
}

/**
 * The keys after a rotation: a new one, which signs after it has been published for a while, and those old ones that
 * existing tokens still need. A key is superseded when the next one starts to sign.
 */
export function rotated(
  keys: PrivateJwk[],
  times: { nowSeconds: number; publishSeconds: number; retireSeconds: number },
): PrivateJwk[] {
  const { nowSeconds, publishSeconds, retireSeconds } = times;
  const inOrder = keys.toSorted((a, b) => a.nbf - b.nbf);
  const needed = inOrder.filter((_, i) => {
    const next = inOrder[i + 1];
    return next === undefined || next.nbf + retireSeconds >= nowSeconds;
  });
  return [...needed, newKey(nowSeconds, nowSeconds + publishSeconds)];
}

const MEMBERS = ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use', 'iat', 'nbf'];
// 32 bytes in canonical base64url: the last character carries four bits.
const COORDINATE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function checkedJwk(key: unknown, name: string): PrivateJwk {
  const { d, ...rest } = isRecord(key) ? key : {};
  const jwk = checkedPublicJwk(isRecord(key) ? rest : key, name);
  if (d === undefined) throw new ConfigError(`${name} is not a private key`);
  if (!isCoordinate(d)) throw new ConfigError(`${name} has a malformed d`);
  if (!areOnePair(jwk.x, jwk.y, d))
    throw new ConfigError(`${name} has a d that does not belong to its x and y`);
  return { ...jwk, d };
}

function checkedPublicJwk(key: unknown, name: string): DatedJwk {
  const fault = (what: string): never => {
    throw new ConfigError(`${name} ${what}`);
  };
  if (!isRecord(key)) return fault('is not an object');
  if ('d' in key) fault('is a private key, which who signs nothing must not have');
  if (Object.keys(key).some((member) => !MEMBERS.includes(member))) {
    fault(`has a member other than ${MEMBERS.join(', ')} and d`);
  }
  const { kty, crv, x, y, kid, alg, use, iat, nbf } = key;
  if (kty !== 'EC' || crv !== 'P-256') return fault('is not an EC key on P-256');
  if (alg !== 'ES256') return fault('has an alg other than ES256');
  if (use !== 'sig') return fault('has a use other than sig');
  if (!isCoordinate(x) || !isCoordinate(y)) return fault('has a malformed x or y');
  if (!isMoment(iat) || !isMoment(nbf)) return fault('has an iat or nbf that is not in whole epoch seconds');
  if (kid !== thumbprint(x, y)) return fault('has a kid other than its RFC 7638 thumbprint');
  return { kty, crv, x, y, kid, alg, use, iat, nbf };
}

function signingKeyOf(jwk: PrivateJwk): SigningKey {
  const { kty, crv, x, y, d } = jwk;
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty, crv, x, y, d } });
  return { ...verifyingKeyOf(jwk, createPublicKey(privateKey)), privateKey };
}

function verifyingKeyOf(
  { kty, crv, x, y, kid, alg, use, iat, nbf }: DatedJwk,
  publicKey: KeyObject,
): SigningKey {
  const publicJwk = { kty, crv, x, y, kid, alg, use };
  return { kid, issuedAt: iat, signsFrom: nbf, privateKey: undefined, publicKey, publicJwk };
}

function publicKeyOf({ kty, crv, x, y, kid }: DatedJwk): KeyObject {
  try {
    return createPublicKey({ format: 'jwk', key: { kty, crv, x, y } });
  } catch {
    throw new ConfigError(`key ${kid} of the key set is no point of P-256`);
  }
}

/** RFC 7638 §3: the hash of only the required members, in alphabetical order. */
function thumbprint(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
}

/** OpenSSL accepts a private key with another key’s public point, and would create signatures that nobody can verify. */
function areOnePair(x: string, y: string, d: string): boolean {
  const ecdh = createECDH('prime256v1');
  try {
    ecdh.setPrivateKey(d, 'base64url');
  } catch {
    return false;
  }
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return ecdh.getPublicKey().equals(point);
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && COORDINATE.test(value);
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
