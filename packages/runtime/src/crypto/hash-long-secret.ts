import { createHash } from 'node:crypto';

/** The hash under which the secret of a link is stored; 256 random bits cannot be guessed, so it needs no key. */
export function hashLongSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
