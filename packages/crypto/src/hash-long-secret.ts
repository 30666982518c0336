import { createHash } from 'node:crypto';

/** The hash under which the secret of a link is kept; 256 random bits need no key against guessing. */
export function hashLongSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
