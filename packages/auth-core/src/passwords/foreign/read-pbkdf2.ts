import { fromBase64, fromDigits, fromDottedBase64, fromParameters } from './encodings.ts';
import { derived, UNKNOWN, type ForeignReading } from './reading.ts';

/** The size of a block. Blocks are independent (RFC 8018, section 5.2), so only the first is compared. */
const BLOCK_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

type Digest = keyof typeof BLOCK_BYTES;

/** PBKDF2 in the notation of passlib, Kratos, Django and ASP.NET Identity. */
export function readPbkdf2(text: string): ForeignReading | undefined {
  const [, dashed] = /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$/.exec(text) ?? [undefined, undefined];
  if (text.startsWith('$pbkdf2$') || dashed !== undefined)
    return readDashed(digestOf(dashed), text.split('$'));
  const [, django] = /^pbkdf2_(sha1|sha256)\$/.exec(text) ?? [];
  if (django !== undefined) return readDjango(digestOf(django), text.split('$'));
  return /^A[A-Za-z0-9+/]{40,}={0,2}$/.test(text) ? readAspNet(fromBase64(text)) : undefined;
}

function digestOf(name = 'sha1'): Digest {
  return name === 'sha256' || name === 'sha512' ? name : 'sha1';
}

/** passlib's `$pbkdf2-sha256$29000$salt$digest`, and Kratos's `$pbkdf2-sha256$i=29000,l=32$salt$digest`. */
function readDashed(
  name: Digest,
  [, , parameters, salt = '', encoded = '', ...more]: string[],
): ForeignReading {
  const [iterations, length] = fromParameters(parameters, ['i', 'l']) ?? [fromDigits(parameters)];
  const digest = fromDottedBase64(encoded);
  if (iterations === undefined || more.length > 0) return UNKNOWN;
  if (length !== undefined && digest?.length !== length) return UNKNOWN;
  return pbkdf2Of(name, iterations, fromDottedBase64(salt), digest);
}

/** `pbkdf2_sha256$600000$salt$digest`; the salt is plain text. */
function readDjango(name: Digest, [, count, salt = '', digest = '', ...more]: string[]): ForeignReading {
  const iterations = fromDigits(count);
  if (iterations === undefined || more.length > 0) return UNKNOWN;
  return pbkdf2Of(name, iterations, Buffer.from(salt), fromBase64(digest));
}

/** The format of ASP.NET Core Identity's PasswordHasher: version 2 starts with 0x00, version 3 with 0x01. */
function readAspNet(bytes: Buffer | undefined): ForeignReading | undefined {
  if (bytes === undefined) return undefined;
  if (bytes[0] === 0) {
    return bytes.length === 49
      ? pbkdf2Of('sha1', 1000, bytes.subarray(1, 17), bytes.subarray(17))
      : undefined;
  }
  if (bytes[0] !== 1) return undefined;
  const name = (['sha1', 'sha256', 'sha512'] as const)[bytes.readUInt32BE(1)];
  const iterations = bytes.readUInt32BE(5);
  const saltEnd = 13 + bytes.readUInt32BE(9);
  if (name === undefined || saltEnd >= bytes.length) return UNKNOWN;
  return pbkdf2Of(name, iterations, bytes.subarray(13, saltEnd), bytes.subarray(saltEnd));
}

export function pbkdf2Of(
  name: Digest,
  iterations: number,
  salt: Uint8Array | undefined,
  digest: Uint8Array | undefined,
): ForeignReading {
  if (iterations < 1 || salt === undefined || salt.length === 0 || digest === undefined) return UNKNOWN;
  const compared = digest.subarray(0, BLOCK_BYTES[name]);
  return derived({ algorithm: `pbkdf2-${name}`, numbers: [iterations, compared.length], salt }, compared);
}
