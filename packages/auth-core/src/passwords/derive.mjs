// Runs on worker threads (see password-worker.mjs): derives a digest from a password by the algorithms of derivation.ts.
import { createCipheriv, createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto';
import { hashSync } from 'bcryptjs';

/** scrypt uses slightly more than 128 · N · r bytes, which were limited before. */
const SCRYPT_BYTES_MAX = 300 * 1024 * 1024;

/** @typedef {{ algorithm: string, numbers: number[], salt: Uint8Array }} Derivation */

/**
 * @param {Derivation} derivation
 * @param {string} password
 * @returns {Promise<Uint8Array>}
 */
export async function derive({ algorithm, numbers, salt }, password) {
  switch (algorithm) {
    case 'argon2d':
    case 'argon2i':
    case 'argon2id':
      return argon2(algorithm, numbers, salt, password);
    case 'scrypt':
      return scrypt(numbers, salt, password);
    case 'scrypt-nfkc':
      return scrypt(numbers, salt, password.normalize('NFKC'));
    case 'firebase':
      return firebase(numbers, salt, password);
    case 'pbkdf2-sha1':
    case 'pbkdf2-sha256':
    case 'pbkdf2-sha512':
      return pbkdf2Sync(password, salt, numbers[0], numbers[1], algorithm.slice('pbkdf2-'.length));
    case 'bcrypt-sha256':
      return bcrypt(createHash('sha256').update(password).digest('hex'), salt);
    case 'bcrypt-wordpress':
      return bcrypt(createHmac('sha384', 'wp-sha384').update(trimmed(password)).digest('base64'), salt);
    case 'phpass-md5':
      return phpass('md5', numbers, salt, password);
    case 'phpass-md5-trimmed':
      return phpass('md5', numbers, salt, trimmed(password));
    case 'phpass-sha512':
      return phpass('sha512', numbers, salt, password);
    case 'sha512-crypt':
      return sha512Crypt(numbers, salt, password);
    default:
      throw new Error(`no algorithm ${algorithm}`);
  }
}

/** A native module that most installations never load. */
export const loadArgon2 = () => import('@node-rs/argon2');

async function argon2(algorithm, [version, memoryCost, timeCost, parallelism, outputLen], salt, password) {
  const { hashRawSync } = await loadArgon2();
  const options = { memoryCost, timeCost, parallelism, outputLen, salt };
  return hashRawSync(password, { ...options, ...numbersOf(algorithm, version) });
}

/** The library's numbers (`Algorithm` and `Version` in its types, which do not exist at run time). */
function numbersOf(algorithm, version) {
  return {
    algorithm: ['argon2d', 'argon2i', 'argon2id'].indexOf(algorithm),
    version: version === 16 ? 0 : 1,
  };
}

function scrypt([log2N, r, p, length], salt, password) {
  return scryptSync(password, salt, length, { N: 2 ** log2N, r, p, maxmem: SCRYPT_BYTES_MAX });
}

/** Firebase encrypts its signer key with this key stream; comparing the stream itself needs no signer key. */
function firebase([log2N, r, p, length], salt, password) {
  const key = scrypt([log2N, r, p, 32], salt, password);
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

/** The part of the hash after the salt. */
function bcrypt(text, salt) {
  return Buffer.from(hashSync(text, Buffer.from(salt).toString()).slice(29));
}

/** Drupal stores only the first part of the SHA-512. */
function phpass(name, [log2Rounds], salt, password) {
  const typed = Buffer.from(password);
  let digest = createHash(name).update(salt).update(typed).digest();
  for (let left = 2 ** log2Rounds; left > 0; left -= 1) {
    digest = createHash(name).update(digest).update(typed).digest();
  }
  return digest.subarray(0, 32);
}

/** Drepper, "Unix crypt using SHA-256 and SHA-512", with its bytes in the order in which `$6$` writes them. */
function sha512Crypt([rounds], salt, password) {
  const typed = Buffer.from(password);
  const sha512 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha512')).digest();
  const first = sha512(typed, salt, typed);
  const bits = [];
  for (let left = typed.length; left > 0; left >>= 1) bits.push(left & 1 ? first : typed);
  let digest = sha512(typed, salt, Buffer.alloc(typed.length, first), ...bits);
  const p = Buffer.alloc(typed.length, sha512(Buffer.alloc(typed.length ** 2, typed)));
  const s = Buffer.alloc(salt.length, sha512(...Array.from({ length: 16 + digest[0] }, () => salt)));
  for (let round = 0; round < rounds; round += 1) {
    const [before, after] = round & 1 ? [p, digest] : [digest, p];
    const hash = createHash('sha512').update(before);
    if (round % 3) hash.update(s);
    if (round % 7) hash.update(p);
    digest = hash.update(after).digest();
  }
  const written = [];
  for (let [x, y, z] = [0, 21, 42]; written.length < 63; [x, y, z] = [y + 1, z + 1, x + 1]) {
    written.push(digest[z], digest[y], digest[x]);
  }
  return Buffer.from([...written, digest[63]]);
}

/** Like PHP's `trim`. */
function trimmed(password) {
  const isSpace = (/** @type {string | undefined} */ unit) =>
    unit !== undefined && ' \t\n\r\v'.includes(unit);
  let [from, to] = [0, password.length];
  while (from < to && isSpace(password[from])) from += 1;
  while (to > from && isSpace(password[to - 1])) to -= 1;
  return password.slice(from, to);
}
