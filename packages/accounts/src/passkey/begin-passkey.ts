import { randomBytes } from 'node:crypto';
import type { CreationOptionsJson } from '@gatehouse/auth-core';
import { accounts, inTransaction, passkeys as ownPasskeys } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { issueChallenge } from './issue-challenge.ts';
import { proveOwner, type OwnerProof, type OwnerShows } from './prove-owner.ts';

/** More than anybody has devices and managers. */
export const PASSKEYS_MAX = 20;

/** How it began. `full`: the account has as many as it may. */
export type PasskeyBeginning =
  | { kind: 'begun'; token: string; options: CreationOptionsJson }
  | { kind: 'off' }
  | { kind: 'full' }
  | Exclude<OwnerProof, { kind: 'proved' }>;

/** Begins to add a passkey for the account's owner: gives what a browser has one made by. */
export async function beginPasskey(
  deps: LoginDeps,
  shows: OwnerShows,
  origin: Origin,
): Promise<PasskeyBeginning> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  const { id, passwordVersion } = proof.account;
  return inTransaction(deps.db, origin, async (tx): Promise<PasskeyBeginning> => {
    const account = await accounts.lockById(tx, id);
    if (account?.passwordVersion !== passwordVersion) return { kind: 'unproven' };
    const known = await ownPasskeys.findKnown(tx, id);
    if (known.length >= PASSKEYS_MAX) return { kind: 'full' };
    if (!(await proof.use(tx))) return { kind: 'unproven' };
    const { token, challenge } = await issueChallenge(tx, 'register', account);
    const handle = await ownPasskeys.giveUserHandle(tx, id, randomBytes(32));
    const user = { handle, name: account.email, displayName: account.displayName ?? account.email };
    return { kind: 'begun', token, options: passkeys.creationOptions(challenge, user, known) };
  });
}
