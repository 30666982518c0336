import { SessionStatus } from '@gatehouse/auth-core';
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
  type Executor,
  type KeyedAccount,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { Unavailable } from '@gatehouse/runtime';
import type { AccountsDeps, Origin } from './deps.ts';
import { tellOfAccess, type Sharing } from './guest-mails.ts';
import { endSessions, publishSessions } from './sessions.ts';

/** What became of one account; without it, of one that there is none of. */
export type Removal =
  | { account: KeyedAccount; result: 'AccessRevoked' | 'InvitationDeleted' }
  | { account: undefined; result: 'NoAccess' };

/**
 * Takes content from accounts, named by id or by emails (`distinctEmails`). A guest's sessions end, and one with
 * nothing left is expired or removed; an ordinary user's sessions go on. Returns one removal for each account
 * that was named, by the id or the key of the email.
 */
export async function removeAccess(
  deps: AccountsDeps,
  sharing: Sharing & { from: { id: string } | { emails: ReadonlyMap<string, string> }; actor: Actor },
  origin: Origin,
): Promise<Map<string, Removal>> {
  const { content, sharer, from, actor } = sharing;
  const names = 'id' in from ? [from.id] : [...from.emails.keys()];
  const removals = new Map<string, Removal>(
    names.map((name) => [name, { account: undefined, result: 'NoAccess' }]),
  );
  const touched = await inTransaction(deps.db, origin, async (tx) => {
    const found = await guestAccounts.lockMany(tx, 'id' in from ? { ids: names } : { emailKeys: names });
    const ids = found.map(({ id }) => id);
    const revoked = new Set(await contentAccess.revoke(tx, content.id, ids));
    const uninvited = new Set(await invitations.deletePending(tx, content.id, ids));
    const concerned = found.filter(({ id }) => revoked.has(id) || uninvited.has(id));
    for (const account of concerned) {
      const hadAccess = revoked.has(account.id);
      removals.set('id' in from ? account.id : account.emailKey, {
        account,
        result: hadAccess ? 'AccessRevoked' : 'InvitationDeleted',
      });
      await tellOfAccess(deps, tx, account, 'guest.removed', { content, sharer, origin, mails: hadAccess });
    }
    await recordRemovals(tx, { contentDefinitionId: content.id, removals, actor }, origin);
    return retireGuests(deps, tx, concerned, sharer.account?.id, origin);
  });
  await publishRetired(deps, touched);
  return removals;
}

async function recordRemovals(
  tx: Executor,
  what: { contentDefinitionId: string; removals: ReadonlyMap<string, Removal>; actor: Actor },
  origin: Origin,
): Promise<void> {
  const { contentDefinitionId, removals, actor } = what;
  const entries = [...removals.values()].flatMap(({ account, result }) =>
    account === undefined
      ? []
      : {
          action: 'user.removed' as const,
          actor,
          target: { kind: 'Account' as const, id: account.id },
          details: { ContentDefinitionId: contentDefinitionId, Result: result },
        },
  );
  await audit.append(tx, entries, origin);
}

const ROUNDS_MAX = 5;

/** Deletes content with every access and invitation to it; `false` when there is none of that id. */
export async function deleteContent(
  deps: AccountsDeps,
  contentDefinitionId: string,
  actor: Actor,
  origin: Origin,
): Promise<boolean> {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const outcome = await inTransaction(deps.db, origin, async (tx) => {
      const concerned = await contentAccess.findConcerned(tx, contentDefinitionId);
      const locked = await guestAccounts.lockMany(tx, { ids: concerned });
      if (!(await contentDefinitions.lock(tx, contentDefinitionId))) return 'unknown';
      // Accounts are locked before content: who was invited in between must be locked from the start.
      const known = new Set(concerned);
      const now = await contentAccess.findConcerned(tx, contentDefinitionId);
      if (now.some((id) => !known.has(id))) return 'again';
      await contentDefinitions.remove(tx, contentDefinitionId);
      const told = { ContentDefinitionId: contentDefinitionId, ...(changedBy && { RemovedBy: changedBy }) };
      await outbox.add(
        tx,
        now.map((id) => newEvent('guest.removed', { UserId: id, ...told }, origin)),
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

/** Ends the sessions of those that are guests, and expires those left without any content. */
export async function retireGuests(
  deps: AccountsDeps,
  tx: Executor,
  concerned: readonly Account[],
  changedBy: string | undefined,
  origin: Origin,
): Promise<string[]> {
  const accountIds = concerned.filter(({ role }) => role === 'Guest').map(({ id }) => id);
  if (accountIds.length === 0) return [];
  const change = { status: SessionStatus.DeletedInvite, reason: 'access_revoked', changedBy };
  const ended = await endSessions(deps, tx, { accountIds }, change, origin);
  const expired = await guestAccounts.expireWithoutContent(tx, accountIds);
  return [...new Set([...ended, ...(await userSessions.renewCopies(tx, expired))])];
}

/** After the commit: makes what `retireGuests` did hold everywhere. */
export async function publishRetired(deps: AccountsDeps, sessionIds: readonly string[]): Promise<void> {
  await publishSessions(deps, sessionIds);
  await removeRetiredGuests(deps).catch((error: unknown) => {
    deps.log.warn('guests without content are not removed yet', { error });
  });
}

const BATCH = 500;

/**
 * Where guests without content are to be removed: deletes those that have expired. They go in a second step, as
 * their ended sessions must have reached every live copy first; until then they cannot log in either.
 */
export async function removeRetiredGuests(deps: AccountsDeps): Promise<void> {
  if (deps.settings.GUEST_WITHOUT_CONTENT !== 'remove') return;
  await deps.live.catchUp();
  while ((await guestAccounts.removeWithoutContent(deps.db, BATCH)) === BATCH);
}
