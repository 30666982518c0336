import { createHash, createHmac } from 'node:crypto';
import type { PasswordScheme } from '@gatehouse/schema';
import type { FastDigest } from './foreign/reading.ts';
import type { Recipe } from './stored-password.ts';

export type PasswordTexts = ReturnType<typeof createPasswordTexts>;

/** The text that is hashed for a password, and the key that seals imported digests. */
export function createPasswordTexts(pepper: string) {
  const keyed = (text: string | Uint8Array): string =>
    createHmac('sha384', pepper).update(text).digest('base64');
  const own = (password: string): string => keyed(password.normalize('NFC'));
  // The NUL byte separates them from passwords, which contain none.
  const ofFastDigest = (digest: Uint8Array): string => keyed(Buffer.concat([Buffer.from([0]), digest]));
  return {
    own,
    ofFastDigest,
    /** The input of the hash by a recipe. */
    textFor(password: string, { wraps }: Recipe, scheme: PasswordScheme): string {
      if (wraps !== undefined) return ofFastDigest(fastDigest(password, wraps));
      return scheme === 'peppered' ? own(password) : password;
    },
    /** Digests of imported slow hashes are stored as their HMAC under this key. */
    sealKey: createHmac('sha256', pepper).update('foreign').digest(),
  };
}

function fastDigest(password: string, { algorithm, salt, saltPosition }: FastDigest): Uint8Array {
  const text = saltPosition === 'prefix' ? `${salt}${password}` : `${password}${salt}`;
  return createHash(algorithm).update(text).digest();
}
