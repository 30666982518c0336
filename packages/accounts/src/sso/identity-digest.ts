import { createHash } from 'node:crypto';
import type { Identity } from '@gatehouse/db';

/** Identifies a person at an identity provider in their sessions, also after the identity has been unlinked. */
export function identityDigest({ issuer, subject }: Identity): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['identity', issuer, subject]))
    .digest();
}
