import { randomBytes } from 'node:crypto';
import { CHALLENGE_SECONDS, hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { webauthnChallenges, type Account, type ChallengePurpose, type Transaction } from '@gatehouse/db';

/** A challenge for a browser to sign, and the token that identifies it. */
export interface IssuedChallenge {
  token: string;
  challenge: Buffer;
}

/**
 * Creates a challenge for one signature. With an account, only its passkeys may sign it, and a new password invalidates
 * it.
 */
export async function issueChallenge(
  tx: Transaction,
  purpose: ChallengePurpose,
  account?: Pick<Account, 'id' | 'passwordVersion'>,
  token = newInvitationToken(),
): Promise<IssuedChallenge> {
  const challenge = randomBytes(32);
  await webauthnChallenges.insert(tx, {
    tokenHash: hashInvitationToken(token),
    purpose,
    accountId: account?.id,
    challenge,
    passwordVersion: account?.passwordVersion,
    lifetimeSeconds: CHALLENGE_SECONDS,
  });
  return { token, challenge };
}
