import { hkdfSync } from 'node:crypto';

/**
 * A 256-bit key for one purpose from a secret that serves several (HKDF-SHA-256, RFC 5869). A key reveals nothing of
 * the key with another label, so that one kind of token never passes for another.
 */
export function deriveKey(secret: string | Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `gatehouse ${label} v1`, 32));
}
