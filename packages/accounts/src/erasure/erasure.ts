import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import {
  accountAdmin,
  accountCodes,
  accounts,
  administrators,
  audit,
  contentDefinitions,
  erasures,
  guestAccounts,
  inTransaction,
  mailQuota,
  outbox,
} from '@gatehouse/db';
import type { Actor, ManagedAccount, Transaction } from '@gatehouse/db';
import { mailKindOf, newEvent, newMailEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { takesLastAdministrator } from '../account/admin/account-change.ts';
import { receivesMail, recipientOf, sourceOf } from '../checks/mailing.ts';
import type { AccountsDeps, NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { write, type WriteTransaction } from '../session/write.ts';

interface ErasureOrder {
  accountId: string;
  actor: Actor;
  /** The earliest time of the erasure; by default after `ERASE_AFTER_DAYS`. */
  moment?: Date | undefined;
  reason?: string | undefined;
  heirId?: string | undefined;
  /** The code with which the owner confirmed the erasure; it is used up. */
  codeId?: string | undefined;
  /** Whether the erasure is still wanted, checked while the account is locked. */
  use?: ((tx: Transaction) => Promise<boolean>) | undefined;
}

/** The result of an order; all results except `scheduled` changed nothing. */
export type ScheduleErasureResult =
  | { kind: 'scheduled'; erasesAt: Date }
  | { kind: 'unknown' | 'used' | 'pending' | 'last_administrator' | 'owns_content' | 'unfit_heir' };

type Deps = SessionDeps & NoticeDeps;

/**
 * Disables an account until it is erased, and ends its sessions and codes. Owners who asked themselves are mailed a
 * link that cancels it; an administrator's order may replace theirs, and only administrators cancel it.
 */
export async function scheduleErasure(deps: Deps, order: ErasureOrder, origin: Origin) {
  const { accountId, heirId, actor } = order;
  const author = { actor, origin, target: { kind: 'Account', id: accountId } } as const;
  return write<ScheduleErasureResult>(deps, author, async (tx, rollBack) => {
    await administrators.lockRights(tx);
    const locked = await guestAccounts.lockMany(tx, heirId === undefined ? [accountId] : [accountId, heirId]);
    const account = await accountAdmin.find(tx, accountId);
    if (account === undefined) return { kind: 'unknown' };
    // An owner's request does not prevent an administrator's own order.
    const takesOver = actor.kind !== 'System' && actor.id !== accountId;
    if (account.erasesAt !== null && !takesOver) return { kind: 'pending' };
    const changing = { before: account, after: { ...account, isDisabled: true } };
    if (await takesLastAdministrator(tx, [changing])) return { kind: 'last_administrator' };
    const heir = locked.find(({ id }) => id === heirId);
    const isFit = heir !== undefined && heir.role !== 'Guest' && !heir.isDisabled && !heir.isExpired;
    if (heirId !== undefined && (heirId === accountId || !isFit)) return { kind: 'unfit_heir' };
    if (heirId === undefined && (await contentDefinitions.isOwner(tx, accountId)))
      return { kind: 'owns_content' };
    if (order.use !== undefined && !(await order.use(tx))) return rollBack({ kind: 'used' });
    if (heirId !== undefined) await handOver(tx, { from: accountId, to: heirId });
    const closed = await close(deps, tx, account, order, origin);
    return closed.kind === 'scheduled' ? closed : rollBack(closed);
  });
}

async function handOver(tx: WriteTransaction, owners: { from: string; to: string }): Promise<void> {
  for (const { id, kind } of await contentDefinitions.transferAll(tx, owners))
    tx.audit(
      'content.changed',
      { Changed: ['OwnerId'], Kind: kind, OwnerId: owners.to },
      { kind: 'ContentDefinition', id },
    );
}

async function close(
  deps: Deps,
  tx: WriteTransaction,
  account: ManagedAccount,
  { actor, moment, reason, heirId, codeId }: ErasureOrder,
  origin: Origin,
): Promise<{ kind: 'pending' | 'used' } | { kind: 'scheduled'; erasesAt: Date }> {
  const { id } = account;
  const days = deps.settings.ERASE_AFTER_DAYS;
  const isOwn = actor.kind === 'Account' && actor.id === id;
  const restoreCode = isOwn && days > 0 ? newInvitationToken() : undefined;
  const restoreHash = restoreCode === undefined ? undefined : hashInvitationToken(restoreCode);
  const erasure = { accountId: id, askedBy: actor, days, moment, restoreHash };
  const erasesAt = await recordErasure(tx, account, erasure, codeId);
  if (erasesAt === undefined) return { kind: codeId === undefined ? 'pending' : 'used' };
  await accountCodes.deleteAll(tx, id);
  const by = actor.kind === 'Account' ? { ChangedBy: actor.id } : {};
  const ErasesAt = erasesAt.toISOString();
  const facts = { UserId: id, ErasesAt, ...by };
  if (!account.isDisabled) tx.event(newEvent('account.disabled', { UserId: id, ...by }, origin));
  // If the installation itself ordered the erasure, only the mail about its completion is sent, which follows at once.
  const isMailed = actor.kind !== 'System' && (await isMailAllowed(deps, tx, account));
  const content = {
    ...recipientOf(account),
    // The mail contains the source of the owner's own request, but not that of an administrator.
    ...sourceOf(isOwn ? origin : { traceId: origin.traceId }),
    ErasesAt,
    ...(restoreCode !== undefined && { RestoreCode: restoreCode }),
  };
  tx.event(
    isMailed
      ? newMailEvent(deps.seal, 'account.erasure-scheduled', facts, content, origin)
      : newEvent('account.erasure-scheduled', facts, origin),
  );
  tx.audit('account.erasure-requested', {
    ErasesAt,
    ...(reason !== undefined && { Reason: reason }),
    ...(heirId !== undefined && { TransferContentTo: heirId }),
  });
  await tx.endSessions({ kind: 'account', accountId: id }, 'account_erased');
  return { kind: 'scheduled', erasesAt };
}

function recordErasure(
  tx: Transaction,
  { erasesAt }: ManagedAccount,
  erasure: Parameters<typeof erasures.insert>[1],
  codeId: string | undefined,
): Promise<Date | undefined> {
  if (erasesAt !== null) return erasures.takeOver(tx, erasure);
  if (codeId === undefined) return erasures.insert(tx, erasure);
  return erasures.insertOwn(tx, { ...erasure, codeId });
}

/** Whether to send the mail. An unverified address gets none, because it may not belong to the account's owner. */
async function isMailAllowed(deps: Deps, tx: Transaction, account: ManagedAccount): Promise<boolean> {
  if (!account.isEmailVerified || !receivesMail(account, 'own')) return false;
  const kind = mailKindOf('account.erasure-scheduled') ?? '';
  return mailQuota.take(tx, account.id, kind, deps.settings.MAILS_PER_HOUR);
}

/** An account that was disabled before the erasure stays so; others are published as enabled again. */
export async function recordTakenBack(tx: Transaction, accountId: string, actor: Actor, origin: Origin) {
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

/** Cancels an erasure requested since the change of email that this secret takes back. Lock the account first. */
export async function cancelByFormerEmail(tx: Transaction, tokenHash: Buffer, origin: Origin): Promise<void> {
  const accountId = await erasures.cancelByFormerEmail(tx, tokenHash);
  if (accountId !== undefined)
    await recordTakenBack(tx, accountId, { kind: 'Account', id: accountId }, origin);
}

/** Keeps accounts disabled if their erasure is cancelled, and voids the owner's links: a request is no shelter. */
export async function keepDisabled(
  tx: WriteTransaction,
  accountIds: readonly string[],
  reason: string | undefined,
): Promise<void> {
  const details = { IsDisabled: true, ...(reason !== undefined && { Reason: reason }) };
  for (const id of await erasures.keepDisabled(tx, accountIds))
    tx.audit('account.changed', details, { kind: 'Account', id });
}

const SYSTEM = { kind: 'System' } as const;

/**
 * Repeats the outcome of an erasure for a database restored from a backup: an account that exists again is disabled and
 * due at once (Admin then ends its sessions), or the erasure is cancelled. `false` if it knows the outcome already.
 */
export async function replayErasure(
  { db }: Pick<AccountsDeps, 'db'>,
  { id, accountId, end }: { id: string; accountId: string; end: 'erased' | 'restored' },
): Promise<boolean> {
  return inTransaction(db, NO_DEADLINE, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined) return false;
    const target = { kind: 'Account', id: accountId } as const;
    if (end === 'restored') {
      if ((await erasures.cancelById(tx, id)) === undefined) return false;
      await audit.append(tx, [{ action: 'account.erasure-taken-back', actor: SYSTEM, target }], undefined);
      return true;
    }
    if (await erasures.makeDue(tx, accountId)) return true;
    const order = { accountId, askedBy: SYSTEM, days: 0, restoreHash: undefined };
    const due = await erasures.insert(tx, order);
    if (due === undefined) return false;
    const details = { ErasesAt: due.toISOString() };
    const entries = [{ action: 'account.erasure-requested', actor: SYSTEM, target, details }] as const;
    await audit.append(tx, entries, undefined);
    return true;
  });
}
