import {
  accountAdmin,
  accountCodes,
  administrators,
  audit,
  inTransaction,
  outbox,
  userSessions,
  type AccountChange,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import {
  conflictOf,
  differences,
  endingOf,
  eventsOf,
  canRemoveAdministrators,
  needsProof,
} from './account-change.ts';
import type { By } from './create-account.ts';
import type { SessionDeps } from '../../deps.ts';
import { keepDisabled } from '../../erasure/keep-disabled.ts';
import { takesLastAdministrator } from './last-administrator.ts';
import { endSessions, publishSessions } from '../../session/sessions.ts';

/**
 * The result of an administrator's change. `conflict`: the account's state does not allow it. `unproven`: it requires a
 * fresh proof of the administrator's identity.
 */
export type AccountChangeResult =
  | { kind: 'changed'; account: ManagedAccount }
  | { kind: 'unknown' }
  | { kind: 'unproven' }
  | { kind: 'conflict'; reason: string };

/**
 * The same within the transaction; `touched`: the sessions whose cached copies must be written, if anything changed.
 */
type Done =
  | Exclude<AccountChangeResult, { kind: 'changed' }>
  | { kind: 'changed'; account: ManagedAccount; touched: string[] | undefined };

/**
 * Changes an account on behalf of an administrator. When this returns, the change applies to its sessions everywhere:
 * they have ended if the account could no longer log in, and their cached copies have the new role. Undoing a change
 * revives no session. At least one administrator who can log in always remains, and one whose account does not expire
 * if there was one.
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
      if (canRemoveAdministrators(change)) await administrators.lockRights(tx);
      const before = await accountAdmin.lock(tx, accountId);
      if (before === undefined) return { kind: 'unknown' };
      const reason = conflictOf(before, change);
      if (reason !== undefined) return { kind: 'conflict', reason };
      const account = await accountAdmin.update(tx, accountId, change);
      if (await takesLastAdministrator(tx, [{ before, after: account }])) return rollBack(LAST);
      const details = differences(before, account);
      const isChanged = Object.keys(details).length > 0;
      if (isChanged && by.isUnproven === true && needsProof({ before, after: account }))
        return rollBack({ kind: 'unproven' });
      if (change.isDisabled === true) await keepDisabled(tx, [accountId], by);
      if (!isChanged) return { kind: 'changed', account, touched: undefined };
      // An unverified account with a new role, or one that became or was a service account, can be completed only with
      // a code that an administrator had mailed: earlier codes must not work.
      const isOtherRole = before.role !== account.role && !account.isEmailVerified;
      if (isOtherRole || before.isService !== account.isService) await accountCodes.deleteAll(tx, accountId);
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

const LAST = {
  kind: 'conflict',
  reason: 'At least one other enabled administrator account without an expiry date must remain',
} as const;

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
