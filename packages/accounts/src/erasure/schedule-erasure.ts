import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import {
  accountAdmin,
  accountCodes,
  administrators,
  audit,
  contentDefinitions,
  erasures,
  guestAccounts,
  inTransaction,
  mailQuota,
  outbox,
  ownErasures,
  type Actor,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import { mailKindOf, newEvent, newMailEvent, type AnyEvent } from '@gatehouse/events';
import { SessionStatus } from '@gatehouse/schema';
import { takesLastAdministrator } from '../account/admin/last-administrator.ts';
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { recipientOf, sourceOf, receivesMail } from '../checks/mailing.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** Which account to erase, when, and who orders it. */
export interface ErasureOrder {
  accountId: string;
  actor: Actor;
  /** The earliest time of the erasure; by default after `ERASE_AFTER_DAYS`. */
  moment?: Date | undefined;
  /** The reason that an administrator gave. */
  reason?: string | undefined;
  /** The account that gets the account's content. */
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
 * Closes an account until it is erased: it is disabled, its sessions have ended everywhere when this returns, and its
 * codes are invalid. Owners who requested their own erasure are mailed a link that cancels it. An administrator's order
 * can be cancelled only by an administrator, and may replace an owner's request.
 */
export async function scheduleErasure(
  deps: Deps,
  order: ErasureOrder,
  origin: Origin,
): Promise<ScheduleErasureResult> {
  const outcome = await inTransaction<
    | Exclude<ScheduleErasureResult, { kind: 'scheduled' }>
    | { kind: 'scheduled'; erasesAt: Date; ended: string[] }
  >(deps.db, origin, async (tx, rollBack) => {
    await administrators.lockRights(tx);
    const { accountId, heirId } = order;
    const locked = await guestAccounts.lockMany(tx, heirId === undefined ? [accountId] : [accountId, heirId]);
    const account = await accountAdmin.find(tx, accountId);
    if (account === undefined) return { kind: 'unknown' };
    if (account.erasesAt !== null && !mayTakeOver(order)) return { kind: 'pending' };
    const changing = { before: account, after: { ...account, isDisabled: true } };
    if (await takesLastAdministrator(tx, [changing])) return { kind: 'last_administrator' };
    const heir = locked.find(({ id }) => id === heirId);
    const isFit = heir !== undefined && heir.role !== 'Guest' && !heir.isDisabled && !heir.isExpired;
    if (heirId !== undefined && (heirId === accountId || !isFit)) return { kind: 'unfit_heir' };
    if (heirId === undefined && (await contentDefinitions.isOwner(tx, accountId)))
      return { kind: 'owns_content' };
    if (order.use !== undefined && !(await order.use(tx))) return rollBack({ kind: 'used' });
    if (heirId !== undefined) await handOver(tx, { from: accountId, to: heirId }, order.actor, origin);
    const closed = await close(deps, tx, account, order, origin);
    return closed.kind === 'scheduled' ? closed : rollBack(closed);
  });
  if (outcome.kind !== 'scheduled') return outcome;
  await publishSessions(deps, outcome.ended);
  return { kind: 'scheduled', erasesAt: outcome.erasesAt };
}

async function handOver(
  tx: Transaction,
  owners: { from: string; to: string },
  actor: Actor,
  origin: Origin,
): Promise<void> {
  const given = await contentDefinitions.transferAll(tx, owners);
  const entries = given.map(({ id, kind }) => ({
    action: 'content.changed' as const,
    actor,
    target: { kind: 'ContentDefinition' as const, id },
    details: { Changed: ['OwnerId'], Kind: kind, OwnerId: owners.to },
  }));
  await audit.append(tx, entries, origin);
}

async function close(
  deps: Deps,
  tx: Transaction,
  account: ManagedAccount,
  { actor, moment, reason, heirId, codeId }: ErasureOrder,
  origin: Origin,
): Promise<{ kind: 'pending' | 'used' } | { kind: 'scheduled'; erasesAt: Date; ended: string[] }> {
  const { id } = account;
  const days = deps.settings.ERASE_AFTER_DAYS;
  const isOwn = actor.kind === 'Account' && actor.id === id;
  const restoreCode = isOwn && days > 0 ? newInvitationToken() : undefined;
  const restoreHash = restoreCode === undefined ? undefined : hashInvitationToken(restoreCode);
  const after = moment === undefined ? { days } : { moment };
  const erasure = { accountId: id, askedBy: actor, after, restoreHash };
  const erasesAt = await recordErasure(tx, account, erasure, { codeId, days });
  if (erasesAt === undefined) return { kind: codeId === undefined ? 'pending' : 'used' };
  await accountCodes.deleteAll(tx, id);
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const by = changedBy === undefined ? {} : { ChangedBy: changedBy };
  const ErasesAt = erasesAt.toISOString();
  const facts = { UserId: id, ErasesAt, ...by };
  // If the installation itself ordered the erasure, only the mail about its completion is sent, which follows at once.
  const isMailed = actor.kind !== 'System' && (await isMailAllowed(deps, tx, account));
  await outbox.add(tx, [
    ...(account.isDisabled ? [] : [newEvent('account.disabled', { UserId: id, ...by }, origin)]),
    isMailed
      ? newMailEvent(
          deps.seal,
          'account.erasure-scheduled',
          facts,
          {
            ...recipientOf(account),
            // The mail contains the source of the owner's own request, but not that of an administrator.
            ...sourceOf(isOwn ? origin : { traceId: origin.traceId }),
            ErasesAt,
            ...(restoreCode !== undefined && { RestoreCode: restoreCode }),
          },
          origin,
        )
      : newEvent('account.erasure-scheduled', facts, origin),
  ] satisfies AnyEvent[]);
  const details = {
    ErasesAt,
    ...(reason !== undefined && { Reason: reason }),
    ...(heirId !== undefined && { TransferContentTo: heirId }),
  };
  const target = { kind: 'Account', id } as const;
  await audit.append(tx, [{ action: 'account.erasure-requested', actor, target, details }], origin);
  const ending = { status: SessionStatus.Deactivated, reason: 'account_erased', changedBy } as const;
  const ended = await endSessions(deps, tx, { kind: 'account', accountId: id }, ending, origin);
  return { kind: 'scheduled', erasesAt, ended };
}

/** An owner's request does not prevent an administrator's own order. */
function mayTakeOver({ accountId, actor }: ErasureOrder): boolean {
  return actor.kind !== 'System' && actor.id !== accountId;
}

function recordErasure(
  tx: Transaction,
  { id: accountId, erasesAt }: ManagedAccount,
  erasure: Parameters<typeof erasures.insert>[1],
  { codeId, days }: { codeId: string | undefined; days: number },
): Promise<Date | undefined> {
  if (erasesAt !== null) return erasures.takeOver(tx, erasure);
  if (codeId === undefined) return erasures.insert(tx, erasure);
  return ownErasures.insert(tx, { accountId, codeId, days, restoreHash: erasure.restoreHash });
}

/** Whether to send the mail. An unverified address gets none, because it may not belong to the account's owner. */
async function isMailAllowed(deps: Deps, tx: Transaction, account: ManagedAccount): Promise<boolean> {
  if (!account.isEmailVerified || !receivesMail(account, 'own')) return false;
  const kind = mailKindOf('account.erasure-scheduled') ?? '';
  return mailQuota.take(tx, account.id, kind, deps.settings.MAILS_PER_HOUR);
}
