import { hashInvitationToken } from '@gatehouse/auth-core';
import {
  accountAdmin,
  accounts,
  audit,
  erasures,
  inTransaction,
  outbox,
  ownErasures,
  type Actor,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import type { AccountsDeps, Origin } from '../deps.ts';

type Deps = Pick<AccountsDeps, 'db' | 'relay'>;

/**
 * Cancels an erasure with the secret of the link that its owner was mailed; `false` for any other secret, or if used
 * before.
 */
export async function restoreAccount(deps: Deps, code: string, origin: Origin): Promise<boolean> {
  const isBack = await inTransaction(deps.db, origin, async (tx) => {
    const accountId = await ownErasures.cancel(tx, hashInvitationToken(code));
    if (accountId === undefined) return false;
    await recordTakenBack(tx, accountId, { kind: 'Account', id: accountId }, origin);
    return true;
  });
  deps.relay.wake();
  return isBack;
}

/** The result of an administrator's attempt; `conflict`: the account has no pending erasure. */
export type ErasureCancellation =
  { kind: 'cancelled'; account: ManagedAccount } | { kind: 'unknown' } | { kind: 'conflict' };

/** Cancels an erasure on behalf of an administrator. */
export async function cancelErasure(
  deps: Deps,
  accountId: string,
  actor: Actor,
  origin: Origin,
): Promise<ErasureCancellation> {
  const outcome = await inTransaction<ErasureCancellation>(deps.db, origin, async (tx, rollBack) => {
    if ((await accountAdmin.lock(tx, accountId)) === undefined) return { kind: 'unknown' };
    if (!(await erasures.cancel(tx, accountId))) return { kind: 'conflict' };
    const account = await accountAdmin.find(tx, accountId);
    if (account === undefined) return rollBack({ kind: 'unknown' });
    await recordTakenBack(tx, accountId, actor, origin);
    return { kind: 'cancelled', account };
  });
  deps.relay.wake();
  return outcome;
}

/**
 * Cancels an erasure that was requested in the owner's name since the change of email which this secret takes back. The
 * transaction must have locked the account.
 */
export async function cancelByFormerEmail(tx: Transaction, tokenHash: Buffer, origin: Origin): Promise<void> {
  const accountId = await ownErasures.cancelByFormerEmail(tx, tokenHash);
  if (accountId !== undefined)
    await recordTakenBack(tx, accountId, { kind: 'Account', id: accountId }, origin);
}

/** An account that was disabled before the erasure stays disabled; others are published as enabled again. */
async function recordTakenBack(
  tx: Transaction,
  accountId: string,
  actor: Actor,
  origin: Origin,
): Promise<void> {
  const account = await accounts.findById(tx, accountId);
  const by = actor.kind === 'Account' ? { ChangedBy: actor.id } : {};
  const data = { UserId: accountId, ...by };
  await outbox.add(tx, [
    newEvent('account.erasure-taken-back', data, origin),
    ...(account?.isDisabled === false ? [newEvent('account.enabled', data, origin)] : []),
  ]);
  const target = { kind: 'Account', id: accountId } as const;
  await audit.append(tx, [{ action: 'account.erasure-taken-back', actor, target }], origin);
}
