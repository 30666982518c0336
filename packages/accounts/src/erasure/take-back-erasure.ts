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

/** Takes an erasure back by the secret of the link that its owner was mailed; `false` for any other, and afterwards. */
export async function restoreAccount(deps: Deps, code: string, origin: Origin): Promise<boolean> {
  const isBack = await inTransaction(deps.db, origin, async (tx) => {
    const accountId = await ownErasures.takeBack(tx, hashInvitationToken(code));
    if (accountId === undefined) return false;
    await recordTakenBack(tx, accountId, { kind: 'Account', id: accountId }, origin);
    return true;
  });
  deps.relay.wake();
  return isBack;
}

/** How an administrator's attempt ended; `conflict`: the account is not to be erased. */
export type TakenBack =
  { kind: 'taken_back'; account: ManagedAccount } | { kind: 'unknown' } | { kind: 'conflict' };

/** Takes an erasure back at an administrator's wish. */
export async function takeBackErasure(
  deps: Deps,
  accountId: string,
  actor: Actor,
  origin: Origin,
): Promise<TakenBack> {
  const outcome = await inTransaction<TakenBack>(deps.db, origin, async (tx, rollBack) => {
    if ((await accountAdmin.lock(tx, accountId)) === undefined) return { kind: 'unknown' };
    if (!(await erasures.takeBack(tx, accountId))) return { kind: 'conflict' };
    const account = await accountAdmin.find(tx, accountId);
    if (account === undefined) return rollBack({ kind: 'unknown' });
    await recordTakenBack(tx, accountId, actor, origin);
    return { kind: 'taken_back', account };
  });
  deps.relay.wake();
  return outcome;
}

/** What was disabled before stays so; what was not is said to be enabled again. */
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
