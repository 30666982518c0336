import { randomBytes } from 'node:crypto';
import type { CodeHasher } from '@gatehouse/auth-core';
import type { Account } from '@gatehouse/db';

/** The registration that a token stands for: another password makes it another registration. */
export type Registered = Pick<Account, 'id' | 'passwordVersion'>;

const NONCE_BYTES = 16;
const PROOF_BYTES = 32;

/**
 * The token that tells the browser which registered the present password of an account from all others. Without such a
 * registration it is random, which nobody can distinguish without the key. It is not stored: it is derived with a key
 * that only Core and Admin have.
 */
export function newRegistrationToken(codes: CodeHasher, registered: Registered | undefined): string {
  const nonce = randomBytes(NONCE_BYTES);
  const proof = registered === undefined ? randomBytes(PROOF_BYTES) : proofOf(codes, registered, nonce);
  return Buffer.concat([nonce, proof]).toString('base64url');
}

/** Whether the token was issued for the present password of this account. */
export function isRegistrationToken(codes: CodeHasher, registered: Registered, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  return codes.equal(bytes.subarray(NONCE_BYTES), proofOf(codes, registered, nonce));
}

function proofOf(codes: CodeHasher, { id, passwordVersion }: Registered, nonce: Buffer): Buffer {
  return codes.hash(
    { purpose: 'registration', accountId: id },
    `${passwordVersion} ${nonce.toString('base64url')}`,
  );
}
