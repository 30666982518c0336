import { accounts, type Account, type Transaction } from '@gatehouse/db';
import type { LoginDeps, Origin } from '../deps.ts';
import { proveOwner, type OwnerProof, type OwnerProofInput } from './prove-owner.ts';

/** A proof that was not given, or was wrong. */
export type NotProved = Exclude<OwnerProof, { kind: 'proved' }>;

/** The caller, their password, and a code or passkey if the account has a second factor. */
export type PasswordProofInput = OwnerProofInput & { password: string };

/**
 * Checks the caller’s password and, unless they confirmed their identity recently, the second factor of an account that
 * has one: whoever changes the password or the email of an account takes it over.
 */
export async function provePassword(
  deps: LoginDeps,
  { code, passkey, ...shown }: PasswordProofInput,
  origin: Origin,
): Promise<OwnerProof> {
  const account = await accounts.findById(deps.db, shown.accountId);
  if (account === undefined) return { kind: 'unproven' };
  const byPassword = await proveOwner(deps, shown, origin);
  const hasMore = code !== undefined || passkey !== undefined;
  const proof =
    byPassword.kind === 'unproven' && hasMore
      ? await proveOwner(deps, { ...shown, password: undefined, code, passkey }, origin)
      : byPassword;
  return proof.kind === 'proved' ? { ...proof, account } : proof;
}

/**
 * Locks the account and uses up the proof; `undefined` if the password has changed since it was checked, or another
 * request used the proof first.
 */
export async function lockProved(
  tx: Transaction,
  { account, use }: Extract<OwnerProof, { kind: 'proved' }>,
): Promise<Account | undefined> {
  const locked = await accounts.lockById(tx, account.id);
  return locked?.passwordVersion === account.passwordVersion && (await use(tx)) ? locked : undefined;
}

/** The result if `lockProved` found that the proof no longer holds. */
export const PROVED_TOO_LATE = { kind: 'wrong', shown: 'password' } as const satisfies NotProved;
