import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { newSecretText } from '../static-tokens/secret-text.ts';

export type ClientSecrets = ReturnType<typeof createClientSecrets>;

/** The prefix of client secrets, so that people, logs and secret scanners recognize them. */
const PREFIX = 'gcs_';

/** Only an HMAC of each is stored: a copy of the database, or a row added without the key, lets nobody sign in. */
export function createClientSecrets(options: { key: Buffer }) {
  const key = createSecretKey(options.key);
  const hash = (secret: string): Buffer => createHmac('sha256', key).update(secret).digest();
  return {
    /** Creates a secret, which is shown once, and what is stored of it. */
    issue(): { secret: string; hash: Buffer } {
      const secret = newSecretText(PREFIX);
      return { secret, hash: hash(secret) };
    },

    hash,

    /** Whether one of these hashes is that of the secret; the time does not say how much of it is right. */
    matches(secret: string, hashes: readonly Buffer[]): boolean {
      const given = hash(secret);
      return hashes.some((one) => one.length === given.length && timingSafeEqual(one, given));
    },
  };
}
