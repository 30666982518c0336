import { fromBase64, fromHex } from './encodings.ts';
import { UNKNOWN, type FastDigest, type ForeignReading } from './reading.ts';

const BYTES = { md5: 16, sha1: 20, sha256: 32, sha512: 64 } as const;

/** A plain digest of salt and password, in hexadecimal or Base64. */
export function readDigest(given: {
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
