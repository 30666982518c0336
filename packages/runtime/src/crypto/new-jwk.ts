import { createECDH, generateKeyPairSync } from 'node:crypto';

/** A private P-256 key as a JWK (RFC 7518 §6.2). */
export interface P256Jwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  d: string;
}

/** Not from a `KeyObject`: in Node 20 its export as a JWK blocks forever if the garbage collector runs meanwhile. */
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

/** A private RSA key as a JWK (RFC 7518 §6.3). */
export interface RsaJwk {
  kty: 'RSA';
  n: string;
  e: 'AQAB';
  d: string;
  p: string;
  q: string;
  dp: string;
  dq: string;
  qi: string;
}

/** Creates an RSA key pair of 2048 bits. Not from a `KeyObject`, for the reason that `newP256Jwk` gives. */
export function newRsaJwk(): RsaJwk {
  const encoding = { type: 'pkcs1', format: 'der' } as const;
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicExponent: 0x1_00_01,
    privateKeyEncoding: encoding,
    publicKeyEncoding: encoding,
  });
  // RSAPrivateKey (RFC 8017 §A.1.2): version, n, e, d, p, q, dp, dq, qi.
  const [, n = '', , d = '', p = '', q = '', dp = '', dq = '', qi = ''] = readIntegers(privateKey);
  return { kty: 'RSA', n, e: 'AQAB', d, p, q, dp, dq, qi };
}

/** The integers of a DER sequence, in base64url without leading zeros. */
function readIntegers(der: Buffer): string[] {
  const integers: string[] = [];
  let at = contentOf(der, 0).begin;
  while (at < der.length) {
    const { begin, end } = contentOf(der, at);
    const zeros = der[begin] === 0 && end - begin > 1 ? 1 : 0;
    integers.push(der.toString('base64url', begin + zeros, end));
    at = end;
  }
  return integers;
}

/** Where the content of the element at `at` begins and ends (X.690 §8.1.3). */
function contentOf(der: Buffer, at: number): { begin: number; end: number } {
  const short = der.readUInt8(at + 1);
  const bytes = short < 0x80 ? 0 : short - 0x80;
  const begin = at + 2 + bytes;
  return { begin, end: begin + (bytes === 0 ? short : der.readUIntBE(at + 2, bytes)) };
}
