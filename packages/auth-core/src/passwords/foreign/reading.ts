import { isPayable, type Derivation } from '../derivation.ts';

/** A digest that is quick to compute, and so is never stored as it is. */
export interface FastDigest {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512';
  saltPosition: 'prefix' | 'suffix';
  salt: string;
}

/** What a password of another system is, or why it is not taken. */
export type ForeignReading =
  /** bcrypt over the password itself. */
  | { kind: 'raw'; hash: string }
  | { kind: 'derived'; derivation: Derivation; digest: Uint8Array }
  | { kind: 'fast'; fast: FastDigest; digest: Uint8Array }
  | { kind: 'fault'; fault: 'unknown_format' | 'hash_too_costly' };

export const UNKNOWN: ForeignReading = { kind: 'fault', fault: 'unknown_format' };
export const TOO_COSTLY: ForeignReading = { kind: 'fault', fault: 'hash_too_costly' };

/** The least of a digest that is taken: a shorter one would fit many passwords. */
const DIGEST_BYTES_MIN = 16;
const DIGEST_BYTES_MAX = 512;

/** What a hash says, once its parameters are numbers within their algorithm's own rules. */
export function derived(derivation: Derivation, digest: Uint8Array | undefined): ForeignReading {
  const isSound =
    digest !== undefined && digest.length >= DIGEST_BYTES_MIN && digest.length <= DIGEST_BYTES_MAX;
  if (!isSound) return UNKNOWN;
  return isPayable(derivation) ? { kind: 'derived', derivation, digest } : TOO_COSTLY;
}
