import { readArgon2 } from './read-argon2.ts';
import { readBcrypt } from './read-bcrypt.ts';
import { readDigest } from './read-digest.ts';
import { readFbscrypt, readFirebase, type FirebaseParameters } from './read-firebase.ts';
import { readKeycloak } from './read-keycloak.ts';
import { readPbkdf2 } from './read-pbkdf2.ts';
import { readPhpass } from './read-phpass.ts';
import { readScrypt } from './read-scrypt.ts';
import { UNKNOWN, type ForeignReading } from './reading.ts';

/** A password as another system stores it: exactly one of these. */
export type ForeignPassword =
  | { kind: 'hash'; hash: string }
  | { kind: 'firebase'; hash: string; salt: string; parameters: FirebaseParameters }
  | { kind: 'keycloak'; credentialData: string; secretData: string }
  | { kind: 'digest'; digest: Parameters<typeof readDigest>[0] };

/** Each accepts only its own formats; their prefixes are all different. */
const READERS = [readBcrypt, readArgon2, readScrypt, readFbscrypt, readPbkdf2, readPhpass];

/** Parses a password of another system: how it was derived and the digest, or why it is refused. */
export function readForeign(given: ForeignPassword): ForeignReading {
  if (given.kind === 'firebase') return readFirebase(given.hash, given.salt, given.parameters);
  if (given.kind === 'keycloak') return readKeycloak(given.credentialData, given.secretData);
  if (given.kind === 'digest') return readDigest(given.digest);
  for (const read of READERS) {
    const reading = read(given.hash);
    if (reading !== undefined) return reading;
  }
  return UNKNOWN;
}
