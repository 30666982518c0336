import { randomBytes } from 'node:crypto';
import type { CreationOptionsJson } from '@gatehouse/auth-core';
import { accounts, inTransaction, passkeys as ownPasskeys } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { issueChallenge } from './issue-challenge.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from './prove-owner.ts';

/** More than the devices and password managers of any owner. */
export const PASSKEYS_MAX = 20;

/** The result of the first step. `full`: the account has the maximum number of passkeys. */
export type PasskeyStart =
  | { kind: 'begun'; token: string; options: CreationOptionsJson }
  | { kind: 'off' }
  | { kind: 'full' }
  | Exclude<OwnerProof, { kind: 'proved' }>;

/** Begins to add a passkey for the account's owner: returns the options with which a browser creates one. */
export async function beginPasskey(
  deps: LoginDeps,
  shows: OwnerProofInput,
  origin: Origin,
): Promise<PasskeyStart> {
  const { passkeys } = deps;
  if (passkeys === undefined) return { kind: 'off' };
  const proof = await proveOwner(deps, shows, origin);
  if (proof.kind !== 'proved') return proof;
  const { id, passwordVersion } = proof.account;
  return inTransaction(deps.db, origin, async (tx): Promise<PasskeyStart> => {
    const account = await accounts.lockById(tx, id);
    if (account?.passwordVersion !== passwordVersion) return { kind: 'unproven' };
    const known = await ownPasskeys.findKnown(tx, id);
    if (known.length >= PASSKEYS_MAX) return { kind: 'full' };
    if (!(await proof.use(tx))) return { kind: 'unproven' };
    const { token, challenge } = await issueChallenge(tx, 'register', account);
    const handle = await ownPasskeys.setUserHandle(tx, id, randomBytes(32));
    const user = { handle, name: account.email, displayName: account.displayName ?? account.email };
    return { kind: 'begun', token, options: passkeys.creationOptions(challenge, user, known) };
  });
}
