import { hkdfSync } from 'node:crypto';

/**
 * A 256-bit key for one purpose, derived from a secret that has several (HKDF-SHA-256, RFC 5869). A key reveals nothing
 * about keys with another label, so one kind of token is never accepted as another.
 */
export function deriveKey(secret: string | Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `gatehouse ${label} v1`, 32));
}
