import {
  accountAdmin,
  administrators,
  inTransaction,
  type AccountChange,
  type ManagedAccount,
} from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { SessionDeps } from '../../deps.ts';
import { publishSessions } from '../../session/sessions.ts';
import { canRemoveAdministrators, conflictOf, needsProof } from './account-change.ts';
import { applyAccountChanges, planAccountChanges } from './apply-account-changes.ts';
import type { By } from './create-account.ts';

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
 * Changes an account on behalf of an administrator. When this returns, the change applies to its sessions everywhere:
 * they have ended if the account could no longer log in, and their cached copies have the new role. Undoing a change
 * revives no session. At least one administrator who can log in always remains, and one whose account does not expire
 * if there was one.
 */
export async function changeAccount(
  deps: SessionDeps,
  accountId: string,
  change: AccountChange,
  by: By & { reason?: string | undefined },
): Promise<AccountChangeResult> {
  const outcome = await inTransaction(deps.db, by.origin ?? NO_DEADLINE, async (tx): Promise<Done> => {
    if (canRemoveAdministrators(change)) await administrators.lockRights(tx);
    const before = await accountAdmin.lock(tx, accountId);
    if (before === undefined) return { kind: 'unknown' };
    const reason = conflictOf(before, change);
    if (reason !== undefined) return { kind: 'conflict', reason };
    const plan = await planAccountChanges(tx, [before], change);
    if (plan.kind === 'last_administrator') return LAST;
    const [changed] = plan.changes;
    if (changed !== undefined && by.isUnproven === true && needsProof(changed)) return { kind: 'unproven' };
    const touched = await applyAccountChanges(deps, tx, plan, change, by);
    return { kind: 'changed', account: changed?.after ?? before, touched };
  });
  if (outcome.kind === 'changed') await publishSessions(deps, outcome.touched);
  return outcome;
}

/** `touched`: the sessions whose cached copies must be written after the commit. */
type Done =
  | Exclude<AccountChangeResult, { kind: 'changed' }>
  | { kind: 'changed'; account: ManagedAccount; touched: string[] };

const LAST = {
  kind: 'conflict',
  reason: 'At least one other enabled administrator account without an expiry date must remain',
} as const;
