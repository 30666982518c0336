import {
  accountBulk,
  accountSearch,
  administrators,
  type AccountChange,
  type ManagedAccount,
} from '@gatehouse/db';
import { changeInBulk, CHANGED_MAX, unproven, type BulkOrder } from '../../bulk-change.ts';
import type { SessionDeps } from '../../deps.ts';
import { publishSessions } from '../../session/sessions.ts';
import { canRemoveAdministrators, needsProof } from './account-change.ts';
import { applyAccountChanges, planAccountChanges, type AccountsPlan } from './apply-account-changes.ts';
import { accountFilterOf, type AccountQuery } from './find-accounts.ts';

/** The fields that can be changed for many accounts at once: none that identify the owner. */
export type BulkChange = Pick<
  AccountChange,
  | 'isDisabled'
  | 'disabledUntil'
  | 'disabledReason'
  | 'tellsReason'
  | 'expiresAt'
  | 'isTwoFactorRequired'
  | 'isNewPasswordRequired'
>;

/**
 * `changed`: the changed accounts, newest first, in their new state. `skipped`: how many matching accounts already are
 * as requested, or are in a state that does not allow the change. All other outcomes changed nothing.
 */
export type BulkOutcome =
  { kind: 'changed'; accounts: ManagedAccount[]; count: number; skipped: number } | Refusal;

type Refusal = { kind: 'too_many' } | { kind: 'unproven' } | { kind: 'last_administrator' };

/**
 * Changes all matching accounts, or none: like `changeAccount`, each with its audit entry and events. Accounts that no
 * longer match once they are locked are left out.
 */
export async function changeAccounts(
  deps: SessionDeps,
  asked: AccountQuery,
  change: BulkChange,
  order: BulkOrder,
): Promise<BulkOutcome> {
  const filter = await accountFilterOf(deps, asked);
  const ids = await accountSearch.findAny(deps.db, filter, CHANGED_MAX + 1);
  if (ids.length > CHANGED_MAX) return { kind: 'too_many' };
  const outcome = await changeInBulk<AccountsPlan, AccountsPlan & { touched: string[] }, Refusal>(
    deps,
    order,
    {
      plan: async (at) => {
        if (at.tx && canRemoveAdministrators(change)) await administrators.lockRights(at.tx);
        const matching = await accountBulk.findMatching(at.executor, ids, filter, at);
        return planAccountChanges(at.executor, matching, change);
      },
      refuse: ({ changes }) => unproven(order, changes.length, changes.some(needsProof)),
      carryOut: async (tx, plan) => {
        const touched = await applyAccountChanges(deps, tx, plan, change, order);
        return { ...plan, touched };
      },
    },
  );
  if (outcome.kind !== 'planned') return outcome;
  if ('touched' in outcome) await publishSessions(deps, outcome.touched);
  const { changes, matching } = outcome;
  const accounts = changes.map(({ after }) => after);
  return { kind: 'changed', accounts, count: accounts.length, skipped: matching.length - accounts.length };
}
