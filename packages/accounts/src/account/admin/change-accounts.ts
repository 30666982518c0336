import { accountAdmin, accountCodes, administrators, clientSessions, userSessions } from '@gatehouse/db';
import type { AccountChange, Executor, ManagedAccount } from '@gatehouse/db';
import type { EndReason } from '@gatehouse/schema';
import { voidBegunLogins } from '../../session/open-and-end.ts';
import type { SessionDeps } from '../../deps.ts';
import { keepDisabled } from '../../erasure/erasure.ts';
import { inBatches, write, type WriteTransaction } from '../../session/write.ts';
import {
  canRemoveAdministrators,
  conflictOf,
  differences,
  endReasonOf,
  eventsOf,
  needsProof,
  takesLastAdministrator,
  type Changing,
} from './account-change.ts';
import type { By } from './create-account.ts';

/** `conflict`: the account's state does not allow it. `unproven`: it requires a fresh proof of identity. */
type AccountChangeResult =
  | { kind: 'changed'; account: ManagedAccount }
  | { kind: 'unknown' }
  | { kind: 'unproven' }
  | { kind: 'conflict'; reason: string };

/**
 * Changes an account for an administrator. When this returns, sessions have ended everywhere if the account could no
 * longer log in, and copies of the others have its new role; undoing a change revives none. At least one administrator
 * who can log in always remains, and one whose account does not expire if there was one.
 */
export async function changeAccount(
  deps: SessionDeps,
  accountId: string,
  change: AccountChange,
  by: By & { reason?: string | undefined },
): Promise<AccountChangeResult> {
  const { actor, origin } = by;
  const author = { actor, ...(origin && { origin }), target: ACCOUNTS };
  return write<AccountChangeResult>(deps, author, async (tx) => {
    if (canRemoveAdministrators(change)) await administrators.lockRights(tx);
    const before = await accountAdmin.lock(tx, accountId);
    if (before === undefined) return { kind: 'unknown' };
    const reason = conflictOf(before, change);
    if (reason !== undefined) return { kind: 'conflict', reason };
    const plan = await planAccountChanges(tx, [before], change);
    if (plan.kind === 'last_administrator') return LAST;
    const [changed] = plan.changes;
    if (changed !== undefined && by.isUnproven === true && needsProof(changed)) return { kind: 'unproven' };
    await applyAccountChanges(tx, plan, change, by);
    return { kind: 'changed', account: changed?.after ?? before };
  });
}

const ACCOUNTS = { kind: 'Account', id: undefined } as const;
const LAST = {
  kind: 'conflict',
  reason: 'At least one other enabled administrator account without an expiry date must remain',
} as const;

/** The changes of accounts, for those of `matching` that are not as requested yet and whose state allows it. */
export interface AccountsPlan {
  kind: 'planned';
  matching: readonly ManagedAccount[];
  changes: readonly Changing[];
}

/** Only reads. */
export async function planAccountChanges(
  executor: Executor,
  matching: readonly ManagedAccount[],
  change: AccountChange,
): Promise<AccountsPlan | { kind: 'last_administrator' }> {
  const able = new Map(
    matching.filter((account) => conflictOf(account, change) === undefined).map((one) => [one.id, one]),
  );
  const after = await accountAdmin.findAsChanged(executor, [...able.keys()], change);
  const changes = after.flatMap((account): Changing[] => {
    const before = able.get(account.id);
    const isSame = before === undefined || Object.keys(differences(before, account)).length === 0;
    return isSame ? [] : [{ before, after: account }];
  });
  return (await takesLastAdministrator(executor, changes))
    ? { kind: 'last_administrator' }
    : { kind: 'planned', matching, changes };
}

/** Makes the planned changes of locked accounts, with their audit entries and events. */
export async function applyAccountChanges(
  tx: WriteTransaction,
  { matching, changes }: AccountsPlan,
  change: AccountChange,
  by: By & { reason?: string | undefined },
): Promise<void> {
  const why = by.reason !== undefined && { Reason: by.reason };
  // A change with an end has left out accounts that are to be erased.
  if (change.isDisabled === true && !change.disabledUntil) await keepDisabled(tx, idsOf(matching), by.reason);
  for (const { before, after } of changes) {
    // An unverified account with a new role, or one that became or was a service account, can be completed only with a
    // code that an administrator had mailed: earlier codes must not work.
    const isOtherRole = before.role !== after.role && !after.isEmailVerified;
    if (isOtherRole || before.isService !== after.isService) await accountCodes.deleteAll(tx, before.id);
    if (before.role !== after.role) await voidBegunLogins(tx, before.id);
  }
  await inBatches(changes, (part) =>
    accountAdmin.updateMany(tx, idsOf(part.map(({ before }) => before)), change),
  );
  for (const { before, after } of changes) {
    const changed = differences(before, after);
    tx.audit('account.changed', { ...changed, ...why }, before.id);
    for (const event of eventsOf(after, Object.keys(changed), by)) tx.event(event);
  }
  // Only a role or a group less can shut a person out.
  const narrowed = changes.filter(
    ({ before, after }) =>
      before.role !== after.role || before.groups.some((group) => !after.groups.includes(group)),
  );
  await applyToSessions(tx, changes, idsOf(narrowed.map(({ before }) => before)));
}

function idsOf(accounts: readonly ManagedAccount[]): string[] {
  return accounts.map(({ id }) => id);
}

/**
 * Ends the sessions that must end, and has copies of the others written again. All are locked before, in the order used
 * everywhere: ending them reason by reason would lock them in another.
 */
async function applyToSessions(
  tx: WriteTransaction,
  changes: readonly Changing[],
  narrowed: readonly string[],
): Promise<void> {
  const changed = changes.map(({ before }) => before);
  await userSessions.lockOfAccounts(tx, idsOf(changed));
  if (narrowed.length > 0) await clientSessions.removeNotLetIn(tx, { accountIds: narrowed });
  await inBatches(changes, async (part) => {
    for (const [reason, accountIds] of byEndReason(part))
      await tx.endSessions({ kind: 'accounts', accountIds }, reason);
    tx.changesSessions(await userSessions.renewCopies(tx, idsOf(part.map(({ before }) => before))));
  });
}

function byEndReason(changes: readonly Changing[]): Map<EndReason, string[]> {
  const found = new Map<EndReason, string[]>();
  for (const { before, after } of changes) {
    const reason = endReasonOf(before, after);
    if (reason === undefined) continue;
    const accountIds = found.get(reason) ?? [];
    accountIds.push(before.id);
    found.set(reason, accountIds);
  }
  return found;
}
