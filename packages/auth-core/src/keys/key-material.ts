import { createECDH, createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError, type P256Jwk, type RsaJwk } from '@gatehouse/runtime';

/** Ends the check of a key with an error that names it. */
export type Fault = (what: string) => never;

/** The public part of a key that signs with ES256 (RFC 7518 §6.2.1). */
export type P256Public = Omit<P256Jwk, 'd'> & { alg: 'ES256' };
export type P256Secret = Pick<P256Jwk, 'd'>;

export const P256_MEMBERS = ['kty', 'crv', 'x', 'y'];
export const P256_SECRETS = ['d'];

export function readP256({ kty, crv, x, y, alg }: Record<string, unknown>, fault: Fault): P256Public {
  if (kty !== 'EC' || crv !== 'P-256') return fault('is not an EC key on P-256');
  if (alg !== 'ES256') return fault('has an alg other than ES256');
  if (!isCoordinate(x) || !isCoordinate(y)) return fault('has a malformed x or y');
  return { kty, crv, x, y, alg };
}

export function readP256Secret({ x, y }: P256Public, { d }: Record<string, unknown>, fault: Fault) {
  if (!isCoordinate(d)) return fault('has a malformed d');
  if (!areOnePair(x, y, d)) return fault('has a d that does not belong to its x and y');
  return { d };
}

export function publicP256({ kty, crv, x, y }: P256Public, kid: string): KeyObject {
  try {
    return createPublicKey({ format: 'jwk', key: { kty, crv, x, y } });
  } catch {
    throw new ConfigError(`key ${kid} of the key set is no point of P-256`);
  }
}

/** RFC 7638 §3: the hash of only the required members, in alphabetical order. */
export function thumbprintOfP256({ x, y }: Pick<P256Public, 'x' | 'y'>): string {
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

// 32 bytes in canonical base64url: the last character carries four bits.
const COORDINATE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && COORDINATE.test(value);
}

/** The public part of a key that signs with RS256 (RFC 7518 §6.3.1). */
export type RsaPublic = Pick<RsaJwk, 'kty' | 'n' | 'e'> & { alg: 'RS256' };
export type RsaSecret = Omit<RsaJwk, 'kty' | 'n' | 'e'>;

export const RSA_MEMBERS = ['kty', 'n', 'e'];
export const RSA_SECRETS = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

export function readRsa({ kty, n, e, alg }: Record<string, unknown>, fault: Fault): RsaPublic {
  if (kty !== 'RSA') return fault('is not an RSA key');
  if (alg !== 'RS256') return fault('has an alg other than RS256');
  if (!isNumber(n)) return fault('has a malformed n');
  const bytes = Buffer.from(n, 'base64url');
  if (bytes.length < BYTES_MIN || bytes.length > BYTES_MAX || (bytes[0] ?? 0) < 0x80)
    return fault('has a modulus that is not of 2048 to 4096 bits');
  if (e !== 'AQAB') return fault('has an e other than AQAB');
  return { kty, n, e, alg };
}

export function readRsaSecret(shown: RsaPublic, given: Record<string, unknown>, fault: Fault): RsaSecret {
  const { d, p, q, dp, dq, qi } = given;
  if (!isNumber(d) || !isNumber(p) || !isNumber(q) || !isNumber(dp) || !isNumber(dq) || !isNumber(qi))
    return fault('has a malformed d, p, q, dp, dq or qi');
  const secret = { d, p, q, dp, dq, qi };
  if (!isOnePair(shown, secret)) return fault('has a private part that does not belong to its n');
  return secret;
}

export function publicRsa({ kty, n, e }: RsaPublic): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty, n, e } });
}

/** RFC 7638 §3: the hash of only the required members, in alphabetical order. */
export function thumbprintOfRsa({ n, e }: Pick<RsaPublic, 'n' | 'e'>): string {
  return createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
}

/**
 * RFC 8017 §3.2. OpenSSL does not check it, and would make signatures that nobody can verify, or that reveal a prime.
 */
function isOnePair(shown: RsaPublic, secret: RsaSecret): boolean {
  const [n, e] = [integer(shown.n), integer(shown.e)];
  const { d, p, q, dp, dq, qi } = secret;
  const [exponent, one, other] = [integer(d), integer(p), integer(q)];
  if (one < 3n || other < 3n || one * other !== n) return false;
  return (
    (exponent * e) % (one - 1n) === 1n &&
    (exponent * e) % (other - 1n) === 1n &&
    integer(dp) === exponent % (one - 1n) &&
    integer(dq) === exponent % (other - 1n) &&
    (integer(qi) * other) % one === 1n
  );
}

function integer(base64url: string): bigint {
  return BigInt(`0x${Buffer.from(base64url, 'base64url').toString('hex')}`);
}

const BYTES_MIN = 256;
const BYTES_MAX = 512;
const TEXT_MAX = 1000;

/** A number in canonical base64url without leading zeros (RFC 7518 §2, Base64urlUInt). */
function isNumber(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > TEXT_MAX) return false;
  const bytes = Buffer.from(value, 'base64url');
  return bytes.length > 0 && bytes[0] !== 0 && bytes.toString('base64url') === value;
}
