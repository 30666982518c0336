import { createHash, createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashLongSecret } from '@gatehouse/runtime';

/** Crockford's base 32: without I, L and O (read as 1, 1 and 0), and without U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code that users type from a mail, `XXXX-XXXX`: 40 random bits. */
export function newCode(): string {
  return newSymbols(8);
}

/** A code that replaces a second factor, `XXXXX-XXXXX`: 50 random bits. */
export function newRecoveryCode(): string {
  return newSymbols(10);
}

/** The eight characters of a code as a user typed it; `undefined` if it cannot be a code. */
export function readCode(text: string): string | undefined {
  return readSymbols(text, 8);
}

/** The ten characters of a recovery code as a user typed it; `undefined` if it cannot be one. */
export function readRecoveryCode(text: string): string | undefined {
  return readSymbols(text, 10);
}

function newSymbols(length: number): string {
  // 256 is a multiple of 32, so the remainder is uniform.
  const symbols = Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % 32)).join('');
  return `${symbols.slice(0, length / 2)}-${symbols.slice(length / 2)}`;
}

function readSymbols(text: string, length: number): string | undefined {
  const symbols = text.replace(/[\s\p{Pd}]/gu, '');
  // ASCII is checked before the case changes: in upper case a dotless ı would become an I.
  if (symbols.length !== length || !/^[0-9A-Za-z]+$/.test(symbols)) return undefined;
  const code = symbols.toUpperCase().replace(/[IL]/g, '1').replaceAll('O', '0');
  return code.includes('U') ? undefined : code;
}

/** What a code is bound to; it is not valid for anything else. */
export interface CodeBinding {
  purpose: string;
  accountId: string;
  /** The key of the address to which the code was mailed, if it was. */
  email?: string;
}

export type CodeHasher = ReturnType<typeof createCodeHasher>;

/** With a key outside the database: from a plain hash forty bits could be guessed in minutes. */
export function createCodeHasher({ key }: { key: Buffer }) {
  const secret = createSecretKey(key);
  return {
    /** The hash of a code from `readCode`, bound to what it is valid for. */
    hash(binding: CodeBinding, code: string): Buffer {
      const hmac = createHmac('sha256', secret);
      // Each field follows its length, so that no two bindings have the same encoding.
      for (const field of [binding.purpose, binding.accountId, binding.email ?? '', code]) {
        const bytes = Buffer.from(field);
        const length = Buffer.alloc(4);
        length.writeUInt32BE(bytes.length);
        hmac.update(length).update(bytes);
      }
      return hmac.digest();
    },

    /** Compares hashes in constant time. */
    equal: (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b),
  };
}

/** The secret of an invitation link: 256 random bits in base64url. */
export function newInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashInvitationToken(token: string): Buffer {
  return hashLongSecret(token);
}

/** Whether a `code_verifier` matches a `code_challenge` by RFC 7636, section 4.6, with the method S256. */
export function isChallengeOf(codeVerifier: string, challenge: string): boolean {
  const expected = Buffer.from(challenge, 'base64url');
  const actual = createHash('sha256').update(codeVerifier).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
