import { fromBase64, fromDigits, fromParameters } from './encodings.ts';
import { TOO_COSTLY, UNKNOWN, type ForeignReading } from './reading.ts';
import { scryptOf } from './read-scrypt.ts';

/** The hash parameters of a Firebase project, the same for all of its users. */
export interface FirebaseParameters {
  signerKey: Uint8Array;
  saltSeparator: Uint8Array;
  rounds: number;
  memoryCost: number;
}

/** `<signer key>,<salt separator>,<rounds>,<memory cost>`, the first two in Base64 or base64url. */
export function readFirebaseParameters(text: string): FirebaseParameters | undefined {
  const [key = '', separator = '', rounds, memoryCost, ...more] = text.split(',');
  const signerKey = fromEitherBase64(key);
  const saltSeparator = separator === '' ? Buffer.alloc(0) : fromEitherBase64(separator);
  const [r, log2N] = [rounds, memoryCost].map(fromDigits);
  if (signerKey === undefined || saltSeparator === undefined || more.length > 0) return undefined;
  if (r === undefined || log2N === undefined || r < 1 || log2N < 1) return undefined;
  return { signerKey, saltSeparator, rounds: r, memoryCost: log2N };
}

/** A hash and salt as exported by `firebase auth:export`. */
export function readFirebase(
  hash: string,
  salt: string,
  { signerKey, saltSeparator, rounds, memoryCost }: FirebaseParameters,
): ForeignReading {
  const [encrypted, ownSalt] = [fromEitherBase64(hash), fromEitherBase64(salt)];
  if (encrypted === undefined || ownSalt === undefined) return UNKNOWN;
  return firebaseOf([memoryCost, rounds, 1], Buffer.concat([ownSalt, saltSeparator]), encrypted, signerKey);
}

const SUPABASE = ['v', 'n', 'r', 'p'] as const;

/** `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=…$salt$hash`, as Supabase stores hashes imported from Firebase. */
export function readFbscrypt(text: string): ForeignReading | undefined {
  if (!text.startsWith('$fbscrypt$')) return undefined;
  const [, , parameters = '', salt = '', hash = '', ...more] = text.split('$');
  const parts = parameters.split(',');
  const [version, log2N, r, p] = fromParameters(parts.slice(0, 4).join(','), SUPABASE) ?? [];
  const [separator, key] = [valueOf(parts[4], 'ss='), valueOf(parts[5], 'sk=')];
  const [ownSalt, encrypted] = [fromEitherBase64(salt), fromEitherBase64(hash)];
  if (version !== 1 || log2N === undefined || r === undefined || p === undefined) return UNKNOWN;
  if (separator === undefined || key === undefined || parts.length !== 6 || more.length > 0) return UNKNOWN;
  if (ownSalt === undefined || encrypted === undefined) return UNKNOWN;
  return firebaseOf([log2N, r, p], Buffer.concat([ownSalt, separator]), encrypted, key);
}

function valueOf(part: string | undefined, prefix: string): Buffer | undefined {
  return part?.startsWith(prefix) === true ? fromEitherBase64(part.slice(prefix.length)) : undefined;
}

/**
 * The hash is the signer key, encrypted with a key that scrypt derives from the password. AES in counter mode XORs a
 * key stream, which hash and signer key together reveal: that is stored, so that no login needs the signer key.
 */
function firebaseOf(
  [log2N = 0, r = 0, p = 0]: readonly number[],
  salt: Uint8Array,
  encrypted: Uint8Array,
  signerKey: Uint8Array,
): ForeignReading {
  if (encrypted.length !== signerKey.length) return UNKNOWN;
  if (log2N > 30) return TOO_COSTLY;
  const stream = encrypted.map((byte, at) => byte ^ (signerKey[at] ?? 0));
  return scryptOf('firebase', [log2N, r, p], salt, stream);
}

function fromEitherBase64(text: string): Buffer | undefined {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}
