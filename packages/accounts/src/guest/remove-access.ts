import { emailKey, SessionStatus } from '@gatehouse/schema';
import {
  audit,
  contentAccess,
  contentDefinitions,
  guestAccounts,
  inTransaction,
  invitations,
  outbox,
  userSessions,
  type Account,
  type Actor,
  type EndedAccess,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE, Unavailable } from '@gatehouse/runtime';
import { accountUpdated } from '../account/admin/account-updated.ts';
import type { GuestDeps, NoticeDeps, Origin } from '../deps.ts';
import { notifyOfAccess, type Sharing } from './guest-mails.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** The possible results for an account whose access is removed. */
export const REMOVE_RESULTS = ['AccessRevoked', 'InvitationDeleted', 'NoAccess'] as const;

/** The result for one given name: an account's id, or the key of an email. */
export interface Removal {
  name: string;
  result: (typeof REMOVE_RESULTS)[number];
  /**
   * The account whose access ended, and the email that was invited. The account may have a newer email, which must not
   * be disclosed.
   */
  from?: { account: KeyedAccount; invitedEmail: string };
}

/** Whose access ends: that of an account, or of these emails (`distinctEmails`). */
export type RemovedFrom = { by: 'id'; id: string } | { by: 'emails'; emails: ReadonlyMap<string, string> };

/**
 * Removes accounts' access to content, given by id or by emails (`distinctEmails`). An email refers to the account that
 * has it now and to every account that was given access with it. A guest's sessions end, and a guest with no content
 * left is expired or removed; the sessions of other users continue. Returns the result for each account, in the given
 * order.
 */
export async function removeAccess(
  deps: GuestDeps & NoticeDeps,
  sharing: Sharing & { from: RemovedFrom; actor: Actor },
  origin: Origin,
): Promise<Removal[]> {
  const { content, sharer, from, actor } = sharing;
  const { removals, touched } = await inTransaction(deps.db, origin, async (tx) => {
    const ids =
      from.by === 'id'
        ? [from.id]
        : await contentAccess.findByAccessEmails(tx, content.id, [...from.emails.keys()]);
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
    }
    await recordRemovals(tx, { contentDefinitionId: content.id, ended, actor }, origin);
    const concerned = ended.map(({ account }) => account);
    return {
      removals: inOrder(from.by === 'id' ? [from.id] : [...from.emails.keys()], ended),
      touched: await retireGuests(deps, tx, concerned, sharer.account?.id, origin),
    };
  });
  await publishRetired(deps, touched);
  return removals;
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

async function recordRemovals(
  tx: Transaction,
  what: { contentDefinitionId: string; ended: readonly RemovalFrom[]; actor: Actor },
  origin: Origin,
): Promise<void> {
  const { contentDefinitionId, ended, actor } = what;
  const entries = ended.map(({ account, result }) => ({
    action: 'user.removed' as const,
    actor,
    target: { kind: 'Account' as const, id: account.id },
    details: { ContentDefinitionId: contentDefinitionId, Result: result },
  }));
  await audit.append(tx, entries, origin);
}

const ROUNDS_MAX = 5;

/** Deletes content with all access and invitations to it; `false` if there is no content with that id. */
export async function deleteContent(
  deps: GuestDeps,
  contentDefinitionId: string,
  actor: Actor,
  origin: Origin,
): Promise<boolean> {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const outcome = await inTransaction(deps.db, origin, async (tx) => {
      const concerned = await contentAccess.findInvolvedIds(tx, contentDefinitionId);
      const locked = await guestAccounts.lockMany(tx, concerned);
      if (!(await contentDefinitions.lock(tx, contentDefinitionId))) return 'unknown';
      // Accounts are locked before content. If an account was invited in between, the transaction must start again and
      // lock it, too.
      const known = new Set(concerned);
      const now = await contentAccess.findInvolvedIds(tx, contentDefinitionId);
      if (now.some((id) => !known.has(id))) return 'again';
      await contentDefinitions.remove(tx, contentDefinitionId);
      const eventData = {
        ContentDefinitionId: contentDefinitionId,
        ...(changedBy && { RemovedBy: changedBy }),
      };
      await outbox.add(
        tx,
        now.map((id) => newEvent('guest.removed', { UserId: id, ...eventData }, origin)),
      );
      const target = { kind: 'ContentDefinition', id: contentDefinitionId } as const;
      const details = { UsersRemoved: now.length };
      await audit.append(tx, [{ action: 'content.deleted', actor, target, details }], origin);
      return { touched: await retireGuests(deps, tx, locked, changedBy, origin) };
    });
    if (outcome === 'unknown') return false;
    if (outcome === 'again') continue;
    await publishRetired(deps, outcome.touched);
    return true;
  }
  throw new Unavailable('postgres');
}

/** Ends the sessions of those accounts that are guests, and expires guests without any content left. */
export async function retireGuests(
  deps: Pick<GuestDeps, 'settings' | 'activity'>,
  tx: Transaction,
  concerned: readonly Account[],
  changedBy: string | undefined,
  origin: Origin,
): Promise<string[]> {
  const accountIds = concerned.filter(({ role }) => role === 'Guest').map(({ id }) => id);
  if (accountIds.length === 0) return [];
  const change = { status: SessionStatus.DeletedInvite, reason: 'access_revoked', changedBy } as const;
  const ended = await endSessions(deps, tx, { kind: 'accounts', accountIds }, change, origin);
  const expired = await guestAccounts.expireWithoutContent(tx, accountIds);
  await outbox.add(
    tx,
    expired.flatMap((id) => accountUpdated(id, ['ExpiresAt'], { changedBy, origin })),
  );
  return [...new Set([...ended, ...(await userSessions.renewCopies(tx, expired))])];
}

/** After the commit: makes the changes of `retireGuests` effective everywhere. */
export async function publishRetired(deps: GuestDeps, sessionIds: readonly string[]): Promise<void> {
  await publishSessions(deps, sessionIds);
  await removeRetiredGuests(deps).catch((error: unknown) => {
    deps.log.warn('failed to remove guests without content, retrying', { error });
  });
}

const BATCH = 500;

/**
 * If guests without content are to be removed: deletes those that have expired. This is a second step, because their
 * ended sessions must have reached Redis before; until then they cannot log in either.
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
