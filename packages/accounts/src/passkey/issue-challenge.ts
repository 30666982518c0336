import { randomBytes } from 'node:crypto';
import { CHALLENGE_SECONDS, hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { webauthnChallenges, type Account, type ChallengePurpose, type Transaction } from '@gatehouse/db';

/** What a browser is given to sign, and the token that stands for it. */
export interface IssuedChallenge {
  token: string;
  challenge: Buffer;
}

/** Makes a challenge for one signature; with an account, for a passkey of its own, and void with another password. */
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
