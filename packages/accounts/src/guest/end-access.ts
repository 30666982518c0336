import {
  audit,
  contentAccess,
  contentDefinitions,
  guestAccounts,
  inTransaction,
  invitations,
  type EndedAccess,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { withinSeconds } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { GuestDeps, NoticeDeps, Origin } from '../deps.ts';
import { notifyOfAccess } from './guest-mails.ts';
import { publishRetired, retireGuests } from './remove-access.ts';

const ACCOUNTS_AT_ONCE = 100;
const ROUNDS_MAX = 50;

/**
 * Ends access, and pending invitations to it, whose end time has passed. The consequences are those of `removeAccess`,
 * without an actor. Call it regularly, in any number of processes: each takes accounts that nobody else has locked, and
 * checks the end again after locking, because access may have been given again. Returns how many ended.
 */
export async function endAccess(deps: GuestDeps & NoticeDeps): Promise<number> {
  let count = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const accountIds = await contentAccess.findWithEnded(deps.db, ACCOUNTS_AT_ONCE);
    if (accountIds.length === 0) break;
    const origin = { ...withinSeconds(10), traceId: newId().replaceAll('-', '') };
    const done = await inTransaction(deps.db, origin, (tx) => endAccessOf(deps, tx, accountIds, origin));
    if (done.count === 0) break;
    count += done.count;
    await publishRetired(deps, done.touched);
  }
  return count;
}

async function endAccessOf(
  deps: GuestDeps & NoticeDeps,
  tx: Transaction,
  accountIds: readonly string[],
  origin: Origin,
): Promise<{ count: number; touched: string[] }> {
  const locked = await guestAccounts.lockAvailable(tx, accountIds);
  const lockedIds = locked.map(({ id }) => id);
  const revoked = await contentAccess.removeEnded(tx, lockedIds);
  const uninvited = await invitations.deleteEnded(tx, lockedIds);
  const byId = new Map(locked.map((account) => [account.id, account]));
  const ended = [
    ...withAccounts(revoked, byId).map((one) => ({ ...one, result: 'AccessRevoked' as const })),
    ...withAccounts(uninvited, byId).map((one) => ({ ...one, result: 'InvitationDeleted' as const })),
  ];
  for (const { account, contentDefinitionId, result } of ended)
    await notifyGuest(deps, tx, { account, contentDefinitionId, mails: result === 'AccessRevoked' }, origin);
  const entries = ended.map(({ account, contentDefinitionId, result }) => ({
    action: 'user.removed' as const,
    actor: { kind: 'System' } as const,
    target: { kind: 'Account' as const, id: account.id },
    details: { ContentDefinitionId: contentDefinitionId, Result: result },
  }));
  await audit.append(tx, entries, origin);
  const concerned = [...new Set(ended.map(({ account }) => account))];
  const touched = await retireGuests(deps, tx, concerned, undefined, origin);
  return { count: ended.length, touched };
}

type Ended = EndedAccess & { contentDefinitionId: string };

function withAccounts(ended: readonly Ended[], accounts: ReadonlyMap<string, KeyedAccount>) {
  return ended.flatMap(({ accountId, contentDefinitionId }) => {
    const account = accounts.get(accountId);
    return account === undefined ? [] : [{ account, contentDefinitionId }];
  });
}

/** Owners of content get no mail that their access to it ended. */
async function notifyGuest(
  deps: NoticeDeps,
  tx: Transaction,
  end: { account: KeyedAccount; contentDefinitionId: string; mails: boolean },
  origin: Origin,
): Promise<void> {
  const { account, contentDefinitionId } = end;
  const content = await contentDefinitions.findById(tx, contentDefinitionId);
  if (content === undefined) return;
  const mails = end.mails && content.ownerId !== account.id;
  const access = { content, sharer: { id: account.id, account: undefined }, origin, mails };
  await notifyOfAccess(deps, tx, account, 'guest.removed', access);
}
