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

/** Base64 of RFC 4648, with or without padding; `undefined` for anything else. */
export function fromBase64(text: string): Buffer | undefined {
  const bare = text.replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(bare)) return undefined;
  const bytes = Buffer.from(bare, 'base64');
  // Text with parts that Node ignores, such as surplus bits, is not a valid encoding.
  return bytes.toString('base64').replace(/={1,2}$/, '') === bare ? bytes : undefined;
}

/** passlib's Base64, with a dot instead of the plus sign. */
export function fromDottedBase64(text: string): Buffer | undefined {
  return fromBase64(text.replaceAll('.', '+'));
}

export function fromHex(text: string): Buffer | undefined {
  return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** A parameter of a hash: a non-negative integer of at most nine digits. */
export function fromDigits(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** `ln=16,r=8,p=1`, with exactly these names in this order. */
export function fromParameters(text: string | undefined, names: readonly string[]): number[] | undefined {
  const parts = (text ?? '').split(',');
  if (parts.length !== names.length) return undefined;
  const numbers = parts.flatMap((part, at) => {
    const prefix = `${names[at]}=`;
    return part.startsWith(prefix) ? (fromDigits(part.slice(prefix.length)) ?? []) : [];
  });
  return numbers.length === names.length ? numbers : undefined;
}

const CRYPT = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The value of a digit in the Base64 of crypt(3). */
export function fromCryptDigit(digit: string | undefined): number | undefined {
  const value = digit === undefined || digit === '' ? -1 : CRYPT.indexOf(digit);
  return value === -1 ? undefined : value;
}

/** Decodes the complete bytes of phpass's encoding, least significant bits first. */
export function fromPhpass(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const digit of text) {
    const value = fromCryptDigit(digit);
    if (value === undefined) return undefined;
    held |= value << bits;
    bits += 6;
    if (bits < 8) continue;
    bytes.push(held & 0xff);
    held >>= 8;
    bits -= 8;
  }
  return Buffer.from(bytes);
}
