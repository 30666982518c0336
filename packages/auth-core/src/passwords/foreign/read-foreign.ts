import { jsonIn } from '@gatehouse/runtime';
import { compile, Type, type Static } from '@gatehouse/schema';
import { argon2Of, pbkdf2Of, readArgon2, readBcrypt, readPbkdf2, readPhpass, readScrypt } from './formats.ts';
import { readSha512Crypt, scryptOf, TOO_COSTLY, UNKNOWN } from './formats.ts';
import { fromBase64, fromDigits, fromHex, fromParameters } from './formats.ts';
import type { FastDigest, ForeignReading } from './formats.ts';

/** A password as another system stores it: exactly one of these. */
export type ForeignPassword =
  | { kind: 'hash'; hash: string }
  | { kind: 'firebase'; hash: string; salt: string; parameters: FirebaseParameters }
  | { kind: 'keycloak'; credentialData: string; secretData: string }
  | { kind: 'digest'; digest: Parameters<typeof readDigest>[0] };

/** Each accepts only its own formats; their prefixes are all different. */
const READERS = [readBcrypt, readArgon2, readScrypt, readFbscrypt, readPbkdf2, readPhpass, readSha512Crypt];

/**
 * Before a hash whose own prefix says the same: of Spring Security, LDAP and Dovecot, and of Nextcloud. Spring's
 * `{pbkdf2}` and `{scrypt}` have formats of their own, and `{noop}` is the password itself.
 */
const SCHEME = /^(?:\{(?:bcrypt|BLF-CRYPT|CRYPT|SHA512-CRYPT|argon2(?:@\w+)?|ARGON2ID?)\}|[123]\|)(?=\$)/i;

export function readForeign(given: ForeignPassword): ForeignReading {
  if (given.kind === 'firebase') return readFirebase(given.hash, given.salt, given.parameters);
  if (given.kind === 'keycloak') return readKeycloak(given.credentialData, given.secretData);
  if (given.kind === 'digest') return readDigest(given.digest);
  const hash = given.hash.trimEnd().replace(SCHEME, '');
  for (const read of READERS) {
    const reading = read(hash);
    if (reading !== undefined) return reading;
  }
  return UNKNOWN;
}

const BYTES = { md5: 16, sha1: 20, sha256: 32, sha512: 64 } as const;

/** A plain digest of salt and password, in hexadecimal or Base64. */
function readDigest(given: {
  Algorithm: FastDigest['algorithm'];
  Salt?: string;
  SaltPosition?: FastDigest['saltPosition'];
  Hash: string;
}): ForeignReading {
  const { Algorithm: algorithm, Salt: salt = '', SaltPosition: saltPosition = 'prefix', Hash } = given;
  const bytes = BYTES[algorithm];
  const digest = Hash.length === 2 * bytes ? fromHex(Hash) : fromBase64(Hash);
  if (digest?.length !== bytes) return UNKNOWN;
  return { kind: 'fast', fast: { algorithm, saltPosition, salt }, digest };
}

const CredentialData = Type.Object({
  algorithm: Type.String(),
  hashIterations: Type.Integer({ minimum: 1 }),
  additionalParameters: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
const SecretData = Type.Object({ value: Type.String(), salt: Type.String() });

const checkCredential = compile(CredentialData, { unknownFields: 'drop' });
const checkSecret = compile(SecretData, { unknownFields: 'drop' });

const PBKDF2 = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const;

/** A password as in a realm's export: two JSON texts, `credentialData` and `secretData`. */
function readKeycloak(credentialData: string, secretData: string): ForeignReading {
  const [credential, secret] = [jsonIn(credentialData), jsonIn(secretData)];
  if (checkCredential(credential) !== undefined || checkSecret(secret) !== undefined) return UNKNOWN;
  // Validated above.
  const {
    algorithm,
    hashIterations,
    additionalParameters = {},
  } = credential as Static<typeof CredentialData>;
  const { value, salt: encodedSalt } = secret as Static<typeof SecretData>;
  const [salt, digest] = [fromBase64(encodedSalt), fromBase64(value)];
  if (salt === undefined || digest === undefined) return UNKNOWN;
  if (algorithm === 'pbkdf2' || algorithm === 'pbkdf2-sha256' || algorithm === 'pbkdf2-sha512')
    return pbkdf2Of(PBKDF2[algorithm], hashIterations, salt, digest);
  if (algorithm !== 'argon2') return UNKNOWN;
  const parameter = (name: string) => additionalParameters[name]?.[0];
  const [memory, lanes] = [fromDigits(parameter('memory')), fromDigits(parameter('parallelism'))];
  const version = parameter('version') === '1.0' ? 16 : 19;
  if (memory === undefined || lanes === undefined) return UNKNOWN;
  const length = parameter('hashLength');
  if (length !== undefined && fromDigits(length) !== digest.length) return UNKNOWN;
  const type = parameter('type') ?? 'id';
  return argon2Of({ type, version, memory, passes: hashIterations, lanes, salt, digest });
}

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
function readFirebase(
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
function readFbscrypt(text: string): ForeignReading | undefined {
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
