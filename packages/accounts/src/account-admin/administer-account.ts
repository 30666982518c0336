import { SessionStatus } from '@gatehouse/schema';
import {
  accountAdmin,
  accountCodes,
  administrators,
  audit,
  inTransaction,
  outbox,
  userSessions,
  type Account,
  type AccountChange,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { accountUpdated } from './account-updated.ts';
import type { By } from './create-account.ts';
import type { SessionDeps } from '../deps.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** How a change by an administrator ended; `conflict`: the account's state does not allow it. */
export type AccountChangeResult =
  { kind: 'changed'; account: ManagedAccount } | { kind: 'unknown' } | { kind: 'conflict'; reason: string };

/** As a result; `touched`: the sessions whose copies are to be written, where anything was changed. */
type Done =
  | Exclude<AccountChangeResult, { kind: 'changed' }>
  | { kind: 'changed'; account: ManagedAccount; touched: string[] | undefined };

/**
 * Changes an account at an administrator's wish. What the change means for its sessions holds everywhere when
 * this returns: they end where nobody could log in to open them now, and what is cached of them learns the new role.
 * Undoing a change revives none. There is always an administrator left who can log in, and one without an end in
 * sight where there was one.
 */
export async function changeAccount(
  deps: SessionDeps,
  accountId: string,
  change: AccountChange,
  by: By,
): Promise<AccountChangeResult> {
  const outcome = await inTransaction(
    deps.db,
    by.origin ?? NO_DEADLINE,
    async (tx, rollBack): Promise<Done> => {
      if (mayTakeRights(change)) await administrators.lockRights(tx);
      const before = await accountAdmin.lock(tx, accountId);
      if (before === undefined) return { kind: 'unknown' };
      const reason = conflictOf(before, change);
      if (reason !== undefined) return { kind: 'conflict', reason };
      const account = await accountAdmin.update(tx, accountId, change);
      if (await takesLastAdministrator(tx, before, account)) return rollBack(LAST);
      const details = differences(before, account);
      if (Object.keys(details).length === 0) return { kind: 'changed', account, touched: undefined };
      // With its new rights it is completed by a code that an administrator has mailed alone.
      if (before.role !== account.role && !account.isEmailVerified)
        await accountCodes.deleteAll(tx, accountId);
      const target = { kind: 'Account', id: accountId } as const;
      await audit.append(tx, [{ action: 'account.changed', actor: by.actor, target, details }], by.origin);
      await outbox.add(tx, eventsOf(account, Object.keys(details), by));
      const touched = await applyToSessions(deps, tx, { before, account }, by);
      return { kind: 'changed', account, touched };
    },
  );
  if (outcome.kind === 'changed' && outcome.touched !== undefined) {
    deps.relay.wake();
    await publishSessions(deps, outcome.touched);
  }
  return outcome;
}

/** What others are told of a change: disabling and enabling by events of their own, the rest by the names alone. */
function eventsOf(account: ManagedAccount, changed: readonly string[], { actor, origin }: By) {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const told = { UserId: account.id, ...(changedBy !== undefined && { ChangedBy: changedBy }) };
  const others = changed.filter((name) => name !== 'IsDisabled');
  const role = others.includes('Role') && { role: account.role };
  return [
    ...accountUpdated(account.id, others, { changedBy, origin, ...role }),
    ...(others.length < changed.length
      ? [newEvent(account.isDisabled ? 'account.disabled' : 'account.enabled', told, origin)]
      : []),
  ];
}

const LAST = {
  kind: 'conflict',
  reason: 'At least one other enabled administrator account without an expiry date must remain',
} as const;

function mayTakeRights({ isDisabled, expiresAt, role }: AccountChange): boolean {
  return isDisabled === true || (expiresAt ?? undefined) !== undefined || role === 'User';
}

function conflictOf(account: Account, { role, isNewPasswordRequired }: AccountChange): string | undefined {
  if (role === 'Guest' && account.role !== 'Guest') return 'Guest accounts are created only by invitation';
  const isPromoted = role !== undefined && role !== account.role;
  if (isPromoted && account.signup === 'invitation') return 'The guest has not accepted the invitation yet';
  if (isNewPasswordRequired === true && account.passwordScheme === null) return 'The account has no password';
  return undefined;
}

async function takesLastAdministrator(
  tx: Transaction,
  before: ManagedAccount,
  after: ManagedAccount,
): Promise<boolean> {
  const loses = isEnabledAdmin(before) && !isEnabledAdmin(after);
  const losesForGood = isLastingAdmin(before) && !isLastingAdmin(after);
  if (!loses && !losesForGood) return false;
  const others = await administrators.findOthers(tx, before.id);
  return (loses && !others.isAnyEnabled) || (losesForGood && !others.isAnyLasting);
}

function isEnabledAdmin({ role, isDisabled, isExpired, signup, isEmailVerified }: Account): boolean {
  return role === 'Admin' && !isDisabled && !isExpired && signup === 'complete' && isEmailVerified;
}

function isLastingAdmin(account: ManagedAccount): boolean {
  return isEnabledAdmin(account) && account.expiresAt === null;
}

/** What is different now, in the API's names; of a name, which is personal, only that it is. */
function differences(before: ManagedAccount, after: ManagedAccount): Record<string, unknown> {
  const facts = (account: ManagedAccount) => ({
    IsDisabled: account.isDisabled,
    ExpiresAt: account.expiresAt?.toISOString() ?? null,
    Role: account.role,
    TwoFactorRequired: account.isTwoFactorRequired,
    NewPasswordRequired: account.isNewPasswordRequired,
  });
  const earlier = new Map<string, unknown>(Object.entries(facts(before)));
  const changed = Object.entries(facts(after)).filter(([name, value]) => earlier.get(name) !== value);
  const isRenamed = before.displayName !== after.displayName;
  return { ...Object.fromEntries(changed), ...(isRenamed && { DisplayName: 'changed' }) };
}

async function applyToSessions(
  deps: SessionDeps,
  tx: Transaction,
  { before, account }: { before: ManagedAccount; account: ManagedAccount },
  { actor, origin }: By,
): Promise<string[]> {
  const ending = endingOf(before, account);
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const ended =
    ending &&
    (await endSessions(
      deps,
      tx,
      { kind: 'account', accountId: account.id },
      { ...ending, changedBy },
      origin,
    ));
  return [...(ended ?? []), ...(await userSessions.renewCopies(tx, [account.id]))];
}

/** Why sessions cannot go on; `undefined` when they can. */
function endingOf(
  before: ManagedAccount,
  after: ManagedAccount,
): { status: SessionStatus; reason: string } | undefined {
  const begins = (holds: (account: ManagedAccount) => boolean) => holds(after) && !holds(before);
  if (begins(({ isDisabled }) => isDisabled)) {
    return { status: SessionStatus.Deactivated, reason: 'account_disabled' };
  }
  // One that expired as time went by may have sessions that nobody has ended yet: they must not come back with it.
  if (before.isExpired || after.isExpired) {
    return { status: SessionStatus.Expired, reason: 'account_expired' };
  }
  if (begins(({ isNewPasswordRequired }) => isNewPasswordRequired)) {
    return { status: SessionStatus.Deactivated, reason: 'new_password_required' };
  }
  if (begins(({ isTwoFactorRequired }) => isTwoFactorRequired) && !after.isTwoFactorEnabled) {
    return { status: SessionStatus.Deactivated, reason: 'two_factor_required' };
  }
  // A guest's session is one of shared access; the next login opens one of full access.
  return begins(({ role }) => role !== 'Guest')
    ? { status: SessionStatus.Deactivated, reason: 'role_changed' }
    : undefined;
}
