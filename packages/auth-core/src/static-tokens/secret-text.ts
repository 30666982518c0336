import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A prefix, by which people, logs and secret scanners recognize it, 256 random bits and a checksum, alphanumeric. */
export function newSecretText(prefix: string): string {
  const secret = randomSymbols(SECRET_SYMBOLS);
  return `${prefix}${secret}${checksumOf(secret)}`;
}

/** Whether a text has this form, and its checksum is right: a mistyped secret costs no query. */
export function isSecretText(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const [, secret, checksum] = GRAMMAR.exec(text.slice(prefix.length)) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 > 2^256. */
const SECRET_SYMBOLS = 43;
/** 62^6 > 2^32. */
const CHECKSUM_SYMBOLS = 6;
const GRAMMAR = /^([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** The CRC-32 of the random part, as other token formats have it: it tells a token from random text. */
function checksumOf(secret: string): string {
  let rest = crc32(secret);
  let symbols = '';
  for (let at = 0; at < CHECKSUM_SYMBOLS; at += 1) {
    symbols = ALPHABET.charAt(rest % 62) + symbols;
    rest = Math.floor(rest / 62);
  }
  return symbols;
}

function randomSymbols(count: number): string {
  let symbols = '';
  while (symbols.length < count) {
    for (const byte of randomBytes(count)) {
      // 248 is the largest multiple of 62 in a byte: above it the remainder would favor some symbols.
      if (byte < 248 && symbols.length < count) symbols += ALPHABET.charAt(byte % 62);
    }
  }
  return symbols;
}
