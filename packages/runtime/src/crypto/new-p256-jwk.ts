import { createECDH } from 'node:crypto';

/** A private P-256 key as a JWK (RFC 7518 §6.2). */
export interface P256Jwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  d: string;
}

/**
 * Creates a P-256 key pair. Not from a `KeyObject`: in Node 20 its export as a JWK blocks the process forever if the
 * garbage collector runs meanwhile.
 */
export function newP256Jwk(): P256Jwk {
  const pair = createECDH('prime256v1');
  // 4 (uncompressed), then both coordinates (SEC 1 §2.3.3).
  const point = pair.generateKeys();
  const secret = pair.getPrivateKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 1 + BYTES),
    y: point.toString('base64url', 1 + BYTES),
    // Without leading zeros so far.
    d: Buffer.concat([Buffer.alloc(BYTES - secret.length), secret]).toString('base64url'),
  };
}

const BYTES = 32;
