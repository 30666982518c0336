import { emailKey } from '@gatehouse/schema';
import {
  contentAccess,
  contentDefinitions,
  guestAccounts,
  inTransaction,
  invitations,
  outbox,
  userSessions,
} from '@gatehouse/db';
import type { Account, Actor, EndedAccess, KeyedAccount } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE, Unavailable, withinSeconds } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { GuestDeps, NoticeDeps, Origin } from '../deps.ts';
import { write, type Author, type WriteTransaction } from '../session/write.ts';
import { notifyOfAccess } from './guest-mails.ts';
import type { Removal, RemovedFrom, Sharing } from './sharing.ts';

/**
 * Removes access to content, by id or by emails (`distinctEmails`): those of who has one now, and of who was given
 * access with it. Guests' sessions end, and guests without content expire or are removed; sessions of others continue.
 * Returns the result for each account, in the given order.
 */
export async function removeAccess(
  deps: GuestDeps & NoticeDeps,
  sharing: Sharing & { from: RemovedFrom; actor: Actor },
  origin: Origin,
): Promise<Removal[]> {
  const { content, sharer, from, actor } = sharing;
  return writeRetiring(deps, { actor, origin }, async (tx) => {
    const names = from.by === 'id' ? [from.id] : [...from.emails.keys()];
    const named = { contentDefinitionId: content.id, emailKeys: names };
    const ids = from.by === 'id' ? names : await contentAccess.findByAccessEmails(tx, named);
    const found = await guestAccounts.lockMany(tx, ids);
    const revoked = byAccount(await contentAccess.revoke(tx, content.id, ids));
    const uninvited = byAccount(await invitations.deletePending(tx, content.id, ids));
    const ended = found.flatMap((account): RemovalFrom[] => {
      const end = revoked.get(account.id) ?? uninvited.get(account.id);
      if (end === undefined) return [];
      const result = revoked.has(account.id) ? 'AccessRevoked' : 'InvitationDeleted';
      return [{ account, result, invitedEmail: end.invitedEmail }];
    });
    for (const { account, result } of ended) {
      const mails = result === 'AccessRevoked';
      await notifyOfAccess(deps, tx, account, 'guest.removed', { content, sharer, origin, mails });
      const details = { ContentDefinitionId: content.id, Result: result };
      tx.audit('user.removed', details, { kind: 'Account', id: account.id });
    }
    const concerned = ended.map(({ account }) => account);
    await retireGuests(tx, concerned, sharer.account?.id, origin);
    return inOrder(names, ended);
  });
}

interface RemovalFrom {
  account: KeyedAccount;
  result: 'AccessRevoked' | 'InvitationDeleted';
  invitedEmail: string;
}

function byAccount(ended: readonly EndedAccess[]): Map<string, EndedAccess> {
  return new Map(ended.map((one) => [one.accountId, one]));
}

/** The accounts for each name: several if an address has moved from one account to another. */
function inOrder(names: readonly string[], ended: readonly RemovalFrom[]): Removal[] {
  return names.flatMap((name): Removal[] => {
    const matching = ended.filter(({ account, invitedEmail }) =>
      [account.id, account.emailKey, emailKey(invitedEmail)].includes(name),
    );
    if (matching.length === 0) return [{ name, result: 'NoAccess' }];
    return matching.map(({ account, result, invitedEmail }) => ({
      name,
      result,
      from: { account, invitedEmail },
    }));
  });
}

const ACCOUNTS_AT_ONCE = 100;
const SWEEPS_MAX = 50;

/**
 * Ends access and invitations that have run out, as `removeAccess` without an actor. Each process takes accounts that
 * nobody has locked, and checks the end again, as it may have been changed. Returns how many ended.
 */
export async function endAccess(deps: GuestDeps & NoticeDeps): Promise<number> {
  let count = 0;
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    const accountIds = await contentAccess.findWithEnded(deps.db, { max: ACCOUNTS_AT_ONCE });
    if (accountIds.length === 0) break;
    const origin = { ...withinSeconds(10), traceId: newId().replaceAll('-', '') };
    const ended = await writeRetiring(deps, { actor: { kind: 'System' }, origin }, (tx) =>
      endAccessOf(deps, tx, accountIds, origin),
    );
    if (ended === 0) break;
    count += ended;
  }
  return count;
}

async function endAccessOf(
  deps: GuestDeps & NoticeDeps,
  tx: WriteTransaction,
  accountIds: readonly string[],
  origin: Origin,
): Promise<number> {
  const locked = new Map((await guestAccounts.lockAvailable(tx, accountIds)).map((one) => [one.id, one]));
  const lockedIds = [...locked.keys()];
  const revoked = await contentAccess.removeEnded(tx, lockedIds);
  const uninvited = await invitations.deleteEnded(tx, lockedIds);
  const ended = [
    ...revoked.map((one) => ({ ...one, result: 'AccessRevoked' as const })),
    ...uninvited.map((one) => ({ ...one, result: 'InvitationDeleted' as const })),
  ];
  const concerned = new Set<KeyedAccount>();
  for (const { accountId, contentDefinitionId, result } of ended) {
    const account = locked.get(accountId);
    if (account === undefined) continue;
    concerned.add(account);
    const details = { ContentDefinitionId: contentDefinitionId, Result: result };
    tx.audit('user.removed', details, { kind: 'Account', id: accountId });
    const content = await contentDefinitions.findById(tx, contentDefinitionId);
    if (content === undefined) continue;
    // Owners of content get no mail that their access to it ended.
    const mails = result === 'AccessRevoked' && content.ownerId !== account.id;
    const access = { content, sharer: { id: account.id, account: undefined }, origin, mails };
    await notifyOfAccess(deps, tx, account, 'guest.removed', access);
  }
  await retireGuests(tx, [...concerned], undefined, origin);
  return ended.length;
}

const ROUNDS_MAX = 5;

/** Deletes content with all access and invitations to it; `false` if there is no content with that id. */
export async function deleteContent(deps: GuestDeps, id: string, actor: Actor, origin: Origin) {
  const author = { actor, origin, target: { kind: 'ContentDefinition', id } } as const;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const outcome = await write(deps, author, async (tx) => {
      const concerned = await contentAccess.findInvolvedIds(tx, { id });
      const locked = await guestAccounts.lockMany(tx, concerned);
      if (!(await contentDefinitions.lock(tx, id))) return 'unknown';
      // Accounts are locked before content. If an account was invited in between, the transaction must start again and
      // lock it, too.
      const known = new Set(concerned);
      const now = await contentAccess.findInvolvedIds(tx, { id });
      if (now.some((accountId) => !known.has(accountId))) return 'again';
      await contentDefinitions.remove(tx, id);
      const changedBy = actor.kind === 'Account' ? actor.id : undefined;
      const data = { ContentDefinitionId: id, ...(changedBy && { RemovedBy: changedBy }) };
      for (const UserId of now) tx.event(newEvent('guest.removed', { UserId, ...data }, origin));
      tx.audit('content.deleted', { UsersRemoved: now.length });
      await retireGuests(tx, locked, changedBy, origin);
      return 'deleted';
    });
    if (outcome === 'again') continue;
    if (outcome === 'deleted') await tryToRemoveRetiredGuests(deps);
    return outcome === 'deleted';
  }
  throw new Unavailable('postgres');
}

/** Makes a change that may retire guests (`retireGuests`), and then removes those that are to be removed. */
export async function writeRetiring<T>(
  deps: GuestDeps,
  author: Author,
  change: (tx: WriteTransaction) => Promise<T>,
): Promise<T> {
  const result = await write(deps, author, change);
  await tryToRemoveRetiredGuests(deps);
  return result;
}

export async function tryToRemoveRetiredGuests(deps: GuestDeps): Promise<void> {
  await removeRetiredGuests(deps).catch((error: unknown) => {
    deps.log.warn('failed to remove guests without content, retrying', { error });
  });
}

/** Ends the sessions of those accounts that are guests, and expires guests without any content left. */
export async function retireGuests(
  tx: WriteTransaction,
  concerned: readonly Account[],
  changedBy: string | undefined,
  origin: Origin,
): Promise<void> {
  const accountIds = concerned.filter(({ role }) => role === 'Guest').map(({ id }) => id);
  if (accountIds.length === 0) return;
  await tx.endSessions({ kind: 'accounts', accountIds }, 'access_revoked', { changedBy });
  const expired = await guestAccounts.expireWithoutContent(tx, accountIds);
  const updated = expired.flatMap((id) => accountUpdated(id, ['ExpiresAt'], { changedBy, origin }));
  for (const event of updated) tx.event(event);
  tx.changesSessions(await userSessions.renewCopies(tx, expired));
}

const BATCH = 500;

/**
 * Deletes guests who expired without content, if so set: later, as their ended sessions must be in Redis before. Until
 * then they cannot log in either.
 */
export async function removeRetiredGuests(deps: GuestDeps): Promise<void> {
  if (deps.settings.GUEST_WITHOUT_CONTENT !== 'remove') return;
  await deps.sessionCache.catchUp();
  for (let count = BATCH; count === BATCH;) {
    count = await inTransaction(deps.db, NO_DEADLINE, async (tx) => {
      const removed = await guestAccounts.removeWithoutContent(tx, BATCH);
      const events = removed.map((id) =>
        newEvent('account.deleted', { UserId: id, Reason: 'guest_without_content' }),
      );
      await outbox.add(tx, events);
      return removed.length;
    });
    if (count > 0) deps.relay.wake();
  }
}
