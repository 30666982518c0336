import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * A 256-bit key for one purpose (HKDF-SHA-256, RFC 5869). It reveals nothing about keys with another label, so one kind
 * of token is never accepted as another.
 */
export function deriveKey(secret: string | Buffer, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `gatehouse ${label} v1`, 32));
}

/** The hash under which the secret of a link is stored; 256 random bits cannot be guessed, so it needs no key. */
export function hashLongSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SecretBox = ReturnType<typeof createSecretBox>;

/**
 * Encrypts secrets that are stored where others can read them, such as in the database or a queue: AES-256-GCM with a
 * key derived from `secret` for one purpose. Nonces are random: 2^32 texts with one key are safe (NIST SP 800-38D §8.3).
 */
export function createSecretBox(secret: string, purpose: string) {
  const key = deriveKey(secret, purpose);
  return {
    /** `context` (the id of an account or an event) is authenticated: the secret does not open in another context. */
    seal: (context: string, plain: Buffer): Buffer => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, text, cipher.getAuthTag()]);
    },

    /** `undefined` if the key or the context differs, or the text was changed. */
    open: (context: string, sealed: Buffer): Buffer | undefined => {
      if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) return undefined;
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
