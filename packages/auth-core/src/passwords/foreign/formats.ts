import { isAffordable, type Derivation } from '../derivation.ts';

/** A digest that is fast to compute, and so is never stored unchanged. */
export interface FastDigest {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512';
  saltPosition: 'prefix' | 'suffix';
  salt: string;
}

export type ForeignReading =
  /** bcrypt over the password itself. */
  | { kind: 'raw'; hash: string }
  | { kind: 'derived'; derivation: Derivation; digest: Uint8Array }
  | { kind: 'fast'; fast: FastDigest; digest: Uint8Array }
  | { kind: 'fault'; fault: 'unknown_format' | 'hash_too_costly' };

export const UNKNOWN: ForeignReading = { kind: 'fault', fault: 'unknown_format' };
export const TOO_COSTLY: ForeignReading = { kind: 'fault', fault: 'hash_too_costly' };

const BCRYPT = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/;

/** The prefixes of bcrypt over a hash of the password, and the algorithm of each. */
const PREHASHED = [
  ['bcrypt_sha256$', 'bcrypt-sha256'],
  ['$wp', 'bcrypt-wordpress'],
] as const;

/**
 * bcrypt over the password (including Django's notation), or over a hash of it (Django, WordPress from 6.8). `$2x$`
 * marks hashes of a faulty implementation: it is unknown which passwords they match.
 */
export function readBcrypt(text: string): ForeignReading | undefined {
  const plain = text.startsWith('bcrypt$$2') ? text.slice('bcrypt$'.length) : text;
  if (plain.startsWith('$2')) {
    const cost = costOf(plain);
    if (cost === undefined) return UNKNOWN;
    return cost > 14 ? TOO_COSTLY : { kind: 'raw', hash: plain };
  }
  for (const [prefix, algorithm] of PREHASHED) {
    if (!text.startsWith(`${prefix}$2`)) continue;
    const hash = text.slice(prefix.length);
    const cost = costOf(hash);
    if (cost === undefined) return UNKNOWN;
    const salt = Buffer.from(hash.slice(0, 29));
    return derived({ algorithm, numbers: [cost], salt }, Buffer.from(hash.slice(29)));
  }
  return undefined;
}

function costOf(hash: string): number | undefined {
  const [, cost] = BCRYPT.exec(hash) ?? [];
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= 31 ? Number(cost) : undefined;
}

interface Argon2 {
  type: string;
  version: number;
  memory: number;
  passes: number;
  lanes: number;
  salt: Uint8Array;
  digest: Uint8Array;
}

/** The PHC string of argon2; Django adds a prefix. */
export function readArgon2(text: string): ForeignReading | undefined {
  const parts = (text.startsWith('argon2$argon2') ? text.slice('argon2'.length) : text).split('$');
  const [nothing, name = '', ...rest] = parts;
  if (nothing !== '' || !/^argon2(?:d|i|id)$/.test(name)) return undefined;
  // No version means the first one (argon2's reference implementation).
  const [version] = fromParameters(rest[0], ['v']) ?? [];
  if (version !== undefined) rest.shift();
  const [memory, passes, lanes] = fromParameters(rest[0], ['m', 't', 'p']) ?? [];
  const [salt, digest] = [fromBase64(rest[1] ?? ''), fromBase64(rest[2] ?? '')];
  if (memory === undefined || passes === undefined || lanes === undefined) return UNKNOWN;
  if (salt === undefined || digest === undefined || rest.length !== 3) return UNKNOWN;
  const type = name.slice('argon2'.length);
  return argon2Of({ type, version: version ?? 16, memory, passes, lanes, salt, digest });
}

/** Validated by the algorithm's own rules (RFC 9106, section 3.1). */
export function argon2Of({ type, version, memory, passes, lanes, salt, digest }: Argon2): ForeignReading {
  const algorithm = (['argon2d', 'argon2i', 'argon2id'] as const).find((name) => name === `argon2${type}`);
  const isSound =
    [16, 19].includes(version) && lanes >= 1 && passes >= 1 && memory >= 8 * lanes && salt.length >= 8;
  if (algorithm === undefined || !isSound) return UNKNOWN;
  return derived({ algorithm, numbers: [version, memory, passes, lanes, digest.length], salt }, digest);
}

/** scrypt in the notation of passlib, Kratos, Django, better-auth and Werkzeug. */
export function readScrypt(text: string): ForeignReading | undefined {
  if (text.startsWith('$scrypt$')) return readPhc(text.split('$'));
  if (text.startsWith('scrypt$')) return readDjangoScrypt(text.split('$'));
  if (text.startsWith('scrypt:')) return readWerkzeugScrypt(text.split('$'));
  return /^[0-9a-f]{32}:[0-9a-f]{128}$/.test(text) ? readBetterAuth(text) : undefined;
}

/** `$scrypt$ln=16,r=8,p=1$salt$digest`; Kratos writes N itself, others its logarithm. */
function readPhc([, , parameters, salt = '', digest = '', ...more]: string[]): ForeignReading {
  const [ln, r, p] = fromParameters(parameters, ['ln', 'r', 'p']) ?? [];
  if (ln === undefined || r === undefined || p === undefined || more.length > 0) return UNKNOWN;
  const log2N = ln < 64 ? ln : Math.log2(ln);
  return scryptOf('scrypt', [log2N, r, p], fromBase64(salt), fromBase64(digest));
}

/** `scrypt$N$salt$r$p$digest`; the salt is plain text. */
function readDjangoScrypt([, n, salt = '', r, p, digest = '', ...more]: string[]): ForeignReading {
  const [N, blocks, lanes] = [n, r, p].map(fromDigits);
  if (N === undefined || blocks === undefined || lanes === undefined || more.length > 0) return UNKNOWN;
  return scryptOf('scrypt', [Math.log2(N), blocks, lanes], Buffer.from(salt), fromBase64(digest));
}

/** `scrypt:32768:8:1$salt$digest`, the default of Flask; the salt is plain text, the digest hexadecimal. */
function readWerkzeugScrypt([method = '', salt = '', digest = '', ...more]: string[]): ForeignReading {
  const [, n, r, p, ...others] = method.split(':');
  const [N, blocks, lanes] = [n, r, p].map(fromDigits);
  if (N === undefined || blocks === undefined || lanes === undefined) return UNKNOWN;
  if (others.length > 0 || more.length > 0) return UNKNOWN;
  return scryptOf('scrypt', [Math.log2(N), blocks, lanes], Buffer.from(salt), fromHex(digest));
}

/** `salt:key`; the salt is used as text, not decoded. */
function readBetterAuth(text: string): ForeignReading {
  const [salt = '', key = ''] = text.split(':');
  return scryptOf('scrypt-nfkc', [14, 16, 1], Buffer.from(salt), fromHex(key));
}

/** Validated by the algorithm's own rules (RFC 7914, section 2). */
export function scryptOf(
  algorithm: 'scrypt' | 'scrypt-nfkc' | 'firebase',
  [log2N = 0, r = 0, p = 0]: readonly number[],
  salt: Uint8Array | undefined,
  digest: Uint8Array | undefined,
): ForeignReading {
  const isSound = Number.isInteger(log2N) && log2N >= 1 && r >= 1 && p >= 1;
  if (!isSound || salt === undefined || salt.length === 0 || digest === undefined) return UNKNOWN;
  if (log2N > 30) return TOO_COSTLY;
  return derived({ algorithm, numbers: [log2N, r, p, digest.length], salt }, digest);
}

/** The size of a block. Blocks are independent (RFC 8018, section 5.2), so only the first is compared. */
const BLOCK_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

type Digest = keyof typeof BLOCK_BYTES;

/** PBKDF2 in the notation of passlib, Kratos, Django, Werkzeug and ASP.NET Identity. */
export function readPbkdf2(text: string): ForeignReading | undefined {
  const [, dashed] = /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$/.exec(text) ?? [undefined, undefined];
  if (text.startsWith('$pbkdf2$') || dashed !== undefined)
    return readDashed(digestOf(dashed), text.split('$'));
  const [, django] = /^pbkdf2_(sha1|sha256)\$/.exec(text) ?? [];
  if (django !== undefined) return readDjango(digestOf(django), text.split('$'));
  if (text.startsWith('pbkdf2:')) return readWerkzeug(text.split('$'));
  return /^A[A-Za-z0-9+/]{40,}={0,2}$/.test(text) ? readAspNet(fromBase64(text)) : undefined;
}

function digestOf(name = 'sha1'): Digest {
  return name === 'sha256' || name === 'sha512' ? name : 'sha1';
}

/** passlib's `$pbkdf2-sha256$29000$salt$digest`, and Kratos's `$pbkdf2-sha256$i=29000,l=32$salt$digest`. */
function readDashed(name: Digest, [, , parameters, salt = '', encoded = '', ...more]: string[]) {
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

/** `pbkdf2:sha256:600000$salt$digest` of Flask; the salt is plain text, the digest hexadecimal. */
function readWerkzeug([method = '', salt = '', digest = '', ...more]: string[]): ForeignReading {
  const [, name = '', count, ...others] = method.split(':');
  const iterations = fromDigits(count);
  if (!Object.hasOwn(BLOCK_BYTES, name) || iterations === undefined) return UNKNOWN;
  if (others.length > 0 || more.length > 0) return UNKNOWN;
  return pbkdf2Of(digestOf(name), iterations, Buffer.from(salt), fromHex(digest));
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

/** `$6$salt$digest` and `$6$rounds=50000$salt$digest` of Unix, Moodle and Authelia. */
export function readSha512Crypt(text: string): ForeignReading | undefined {
  if (!text.startsWith('$6$')) return undefined;
  const parts = text.slice('$6$'.length).split('$');
  const [stated] = fromParameters(parts[0], ['rounds']) ?? [];
  const [salt = '', digest = '', ...more] = stated === undefined ? parts : parts.slice(1);
  const rounds = stated ?? 5000;
  if (rounds < 1000 || !/^[./0-9A-Za-z]{1,16}$/.test(salt) || digest.length !== 86 || more.length > 0)
    return UNKNOWN;
  const derivation = { algorithm: 'sha512-crypt', numbers: [rounds], salt: Buffer.from(salt) } as const;
  return derived(derivation, fromPhpass(digest));
}

/** The prefix, the algorithm, and the length of the digest, which Drupal truncates. */
const KINDS = [
  ['$P$', 'phpass-md5-trimmed', 22],
  ['$H$', 'phpass-md5', 22],
  ['$S$', 'phpass-sha512', 43],
] as const;

/** WordPress up to 6.7 (`$P$`), phpBB (`$H$`) and Drupal from 7 on (`$S$`). */
export function readPhpass(text: string): ForeignReading | undefined {
  const kind = KINDS.find(([prefix]) => text.startsWith(prefix));
  if (kind === undefined) return undefined;
  const [, algorithm, length] = kind;
  const log2Rounds = fromCryptDigit(text[3]);
  const [salt, digest] = [text.slice(4, 12), text.slice(12)];
  if (log2Rounds === undefined || log2Rounds < 7 || log2Rounds > 30 || digest.length !== length)
    return UNKNOWN;
  if (fromPhpass(salt) === undefined) return UNKNOWN;
  return derived({ algorithm, numbers: [log2Rounds], salt: Buffer.from(salt) }, fromPhpass(digest));
}

/** The minimum size of a digest: a shorter one would match many passwords. */
const DIGEST_BYTES_MIN = 16;
const DIGEST_BYTES_MAX = 512;

function derived(derivation: Derivation, digest: Uint8Array | undefined): ForeignReading {
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
function fromDottedBase64(text: string): Buffer | undefined {
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
function fromCryptDigit(digit: string | undefined): number | undefined {
  const value = digit === undefined || digit === '' ? -1 : CRYPT.indexOf(digit);
  return value === -1 ? undefined : value;
}

/** Decodes the complete bytes of phpass's encoding, least significant bits first. */
function fromPhpass(text: string): Buffer | undefined {
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
