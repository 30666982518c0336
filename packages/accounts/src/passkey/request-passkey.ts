import type { RequestOptionsJson } from '@gatehouse/auth-core';
import { accounts, inTransaction, passkeys as ownPasskeys } from '@gatehouse/db';
import type { AccountsDeps, Origin, PasskeyDeps } from '../deps.ts';
import { takeChallengeShare, type Throttled } from '../login/attempts.ts';
import { issueChallenge } from './issue-challenge.ts';

/** What a browser is asked to sign; `off` where there are no passkeys, `none` where the account has none. */
export type PasskeyRequested =
  | { kind: 'asked'; token: string; options: RequestOptionsJson }
  | { kind: 'off' }
  | { kind: 'none' }
  | Throttled;

/**
 * Asks for any passkey, to log in. It looks at no account, and so it says nothing of any; each costs a row for a while, of
 * which an address gets a few a minute.
 */
export async function requestAnyPasskey(
  deps: PasskeyDeps & Pick<AccountsDeps, 'passkeyChallenges'>,
  addressGroup: string,
  origin: Origin,
): Promise<Exclude<PasskeyRequested, { kind: 'none' }>> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const throttled = await takeChallengeShare(deps, addressGroup);
  if (throttled !== undefined) return throttled;
  const { token, challenge } = await inTransaction(deps.db, origin, (tx) => issueChallenge(tx, 'login'));
  return { kind: 'asked', token, options: passkeys.requestOptions(challenge, []) };
}

/** Asks somebody who is logged in for one of their own, to prove once more who they are. */
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
  const throttled = await takeChallengeShare(deps, addressGroup);
  if (throttled !== undefined) return throttled;
  const { token, challenge } = await inTransaction(deps.db, origin, (tx) =>
    issueChallenge(tx, 'confirm', account),
  );
  return { kind: 'asked', token, options: passkeys.requestOptions(challenge, known) };
}
