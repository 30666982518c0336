import { isAffordable, type Derivation } from '../derivation.ts';

/** A digest that is fast to compute, and so is never stored unchanged. */
export interface FastDigest {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512';
  saltPosition: 'prefix' | 'suffix';
  salt: string;
}

/** A parsed password of another system, or why it is refused. */
export type ForeignReading =
  /** bcrypt over the password itself. */
  | { kind: 'raw'; hash: string }
  | { kind: 'derived'; derivation: Derivation; digest: Uint8Array }
  | { kind: 'fast'; fast: FastDigest; digest: Uint8Array }
  | { kind: 'fault'; fault: 'unknown_format' | 'hash_too_costly' };

export const UNKNOWN: ForeignReading = { kind: 'fault', fault: 'unknown_format' };
export const TOO_COSTLY: ForeignReading = { kind: 'fault', fault: 'hash_too_costly' };

/** The minimum size of a digest: a shorter one would match many passwords. */
const DIGEST_BYTES_MIN = 16;
const DIGEST_BYTES_MAX = 512;

/** The result for a hash whose parameters are valid for its algorithm. */
export function derived(derivation: Derivation, digest: Uint8Array | undefined): ForeignReading {
  const isSound =
    digest !== undefined && digest.length >= DIGEST_BYTES_MIN && digest.length <= DIGEST_BYTES_MAX;
  if (!isSound) return UNKNOWN;
  return isAffordable(derivation) ? { kind: 'derived', derivation, digest } : TOO_COSTLY;
}
