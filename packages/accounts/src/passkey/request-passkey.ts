import { randomBytes } from 'node:crypto';
import { CHALLENGE_SECONDS, hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { accounts, inTransaction, passkeys as ownPasskeys, webauthnChallenges } from '@gatehouse/db';
import type { Account, ChallengePurpose, Transaction } from '@gatehouse/db';
import type { AccountsDeps, Origin, PasskeyDeps } from '../deps.ts';
import { takeShare, type Throttled } from '../checks/attempts.ts';

/** The request for a browser to sign; `off` if passkeys are not available, `none` if the account has none. */
export type PasskeyRequested =
  | { kind: 'asked'; token: string; options: RequestOptionsJson }
  | { kind: 'off' }
  | { kind: 'none' }
  | Throttled;

/**
 * Requests any passkey, for a login. It reads no account, and so it reveals nothing about any. Each request stores a
 * row for a while, so an address may make only a few per minute.
 */
export async function requestAnyPasskey(
  deps: PasskeyDeps & Pick<AccountsDeps, 'passkeyChallenges'>,
  addressGroup: string,
  origin: Origin,
): Promise<Exclude<PasskeyRequested, { kind: 'none' }>> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const throttled = await takeShare(deps.passkeyChallenges, addressGroup);
  if (throttled !== undefined) return throttled;
  const { token, challenge } = await inTransaction(deps.db, origin, (tx) => issueChallenge(tx, 'login'));
  return { kind: 'asked', token, options: passkeys.requestOptions(challenge, []) };
}

/** Requests a passkey of an owner who is logged in, to prove their identity again. */
export async function requestOwnPasskey(
  deps: PasskeyDeps & Pick<AccountsDeps, 'passkeyChallenges'>,
  { accountId, addressGroup }: { accountId: string; addressGroup: string },
  origin: Origin,
): Promise<PasskeyRequested> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const [account, known] = await Promise.all([
    accounts.findById(deps.db, accountId),
    ownPasskeys.findKnown(deps.db, accountId),
  ]);
  if (account === undefined || known.length === 0) return { kind: 'none' };
  const throttled = await takeShare(deps.passkeyChallenges, addressGroup);
  if (throttled !== undefined) return throttled;
  const { token, challenge } = await inTransaction(deps.db, origin, (tx) =>
    issueChallenge(tx, 'confirm', account),
  );
  return { kind: 'asked', token, options: passkeys.requestOptions(challenge, known) };
}

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
