import { createECDH, createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ConfigError, newP256Jwk } from '@gatehouse/runtime';
import type { Fault } from './fault.ts';

/** The public part of a key that signs with ES256 (RFC 7518 §6.2.1). */
export interface P256Public {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  alg: 'ES256';
}

/** Its private part. */
export interface P256Secret {
  d: string;
}

export const P256_MEMBERS = ['kty', 'crv', 'x', 'y'];
export const P256_SECRETS = ['d'];

export function readP256({ kty, crv, x, y, alg }: Record<string, unknown>, fault: Fault): P256Public {
  if (kty !== 'EC' || crv !== 'P-256') return fault('is not an EC key on P-256');
  if (alg !== 'ES256') return fault('has an alg other than ES256');
  if (!isCoordinate(x) || !isCoordinate(y)) return fault('has a malformed x or y');
  return { kty, crv, x, y, alg };
}

export function readP256Secret(
  { x, y }: P256Public,
  { d }: Record<string, unknown>,
  fault: Fault,
): P256Secret {
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

export function newP256(): P256Public & P256Secret {
  return { ...newP256Jwk(), alg: 'ES256' };
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
