import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { newRsaJwk } from '@gatehouse/runtime';
import type { Fault } from './fault.ts';

/** The public part of a key that signs with RS256 (RFC 7518 §6.3.1). */
export interface RsaPublic {
  kty: 'RSA';
  n: string;
  e: 'AQAB';
  alg: 'RS256';
}

/** Its private part. */
export interface RsaSecret {
  d: string;
  p: string;
  q: string;
  dp: string;
  dq: string;
  qi: string;
}

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

export function newRsa(): RsaPublic & RsaSecret {
  return { ...newRsaJwk(), alg: 'RS256' };
}

/**
 * Whether all parts belong together (RFC 8017 §3.2). OpenSSL does not check it, and would create signatures that nobody can
 * verify, or that reveal a prime.
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
