import {
  accountAdmin,
  accountBulk,
  accountSearch,
  administrators,
  audit,
  inTransaction,
  outbox,
  sessionStatus,
  userSessions,
  type AccountChange,
  type AccountFilter,
  type Executor,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import { isUuid, type EndReason, type SessionStatus } from '@gatehouse/schema';
import {
  conflictOf,
  differences,
  endingOf,
  eventsOf,
  canRemoveAdministrators,
  needsProof,
  type Changing,
} from './account-change.ts';
import type { By } from './create-account.ts';
import { accountFilterOf, type AccountQuery } from './find-accounts.ts';
import { keepDisabled } from '../../erasure/keep-disabled.ts';
import { takesLastAdministrator } from './last-administrator.ts';
import type { Origin, SessionDeps } from '../../deps.ts';
import { endSessions, publishSessions } from '../../session/sessions.ts';
import { UNPROVEN_MAX } from '../../unproven-max.ts';

/** The fields that can be changed for many accounts at once: none that identify the owner. */
export type BulkChange = Pick<
  AccountChange,
  'isDisabled' | 'expiresAt' | 'isTwoFactorRequired' | 'isNewPasswordRequired'
>;

/** Who requests the change, why, and whether it is a dry run. */
export type BulkOrder = By & {
  origin: Origin;
  reason: string | undefined;
  isTrial: boolean;
};

/**
 * `changed`: the changed accounts, newest first, in their new state. `skipped`: how many matching accounts already are
 * as requested, or are in a state that does not allow the change. All other outcomes changed nothing.
 */
export type BulkOutcome =
  | { kind: 'changed'; accounts: ManagedAccount[]; skipped: number }
  | { kind: 'too_many' }
  | { kind: 'unproven' }
  | { kind: 'last_administrator' };

/** The maximum per call, so that it finishes within a request's time. */
export const ACCOUNTS_CHANGED_MAX = 5000;
/** Keeps each statement well within its time-out. */
const BATCH = 1000;

/**
 * Changes all matching accounts, or none: like `changeAccount`, each with its audit entry and events. Accounts that no
 * longer match once they are locked are left out. A dry run only reads, so that nothing has to wait for it.
 */
export async function changeAccounts(
  deps: SessionDeps,
  asked: AccountQuery,
  change: BulkChange,
  order: BulkOrder,
): Promise<BulkOutcome> {
  const filter = await accountFilterOf(deps, asked);
  const ids = await accountSearch.findAny(deps.db, filter, ACCOUNTS_CHANGED_MAX + 1);
  if (ids.length > ACCOUNTS_CHANGED_MAX) return { kind: 'too_many' };
  const found = { ids, filter: withoutIdentifier(filter) };
  if (order.isTrial) {
    const fitting = await accountBulk.findMatchingAccounts(deps.db, found.ids, found.filter);
    return tryOut(deps.db, fitting, change);
  }
  const outcome = await inTransaction(deps.db, order.origin, async (tx) => {
    if (canRemoveAdministrators(change)) await administrators.lockRights(tx);
    const fitting = await accountBulk.lockMatchingAccounts(tx, found.ids, found.filter);
    const tried = await tryOut(tx, fitting, change);
    if (tried.kind !== 'changed') return tried;
    const isLarge = tried.changes.length > UNPROVEN_MAX;
    if (order.isUnproven === true && (isLarge || tried.changes.some(needsProof)))
      return { kind: 'unproven' } as const;
    if (change.isDisabled === true)
      await keepDisabled(
        tx,
        fitting.map(({ id }) => id),
        order,
      );
    return carryOut(deps, tx, tried, change, order);
  });
  if (outcome.kind === 'changed') await publishSessions(deps, outcome.touched);
  return outcome;
}

/** An account that was found by its identifier matches, although its text may not contain the identifier. */
function withoutIdentifier(filter: AccountFilter): AccountFilter {
  const { search } = filter;
  return search !== undefined && isUuid(search.trim()) ? { ...filter, search: undefined } : filter;
}

type Tried = Extract<BulkOutcome, { kind: 'changed' }> & { changes: Changing[] };

/** What the change would do to these accounts. */
async function tryOut(
  executor: Executor,
  fitting: readonly ManagedAccount[],
  change: BulkChange,
): Promise<Tried | { kind: 'last_administrator' }> {
  const able = new Map(
    fitting.filter((account) => conflictOf(account, change) === undefined).map((one) => [one.id, one]),
  );
  const after = await accountBulk.findAsChanged(executor, [...able.keys()], change);
  const changes = after.flatMap((account): Changing[] => {
    const before = able.get(account.id);
    const isSame = before === undefined || Object.keys(differences(before, account)).length === 0;
    return isSame ? [] : [{ before, after: account }];
  });
  if (await takesLastAdministrator(executor, changes)) return { kind: 'last_administrator' };
  const accounts = changes.map((one) => one.after);
  return { kind: 'changed', accounts, skipped: fitting.length - changes.length, changes };
}

async function carryOut(
  deps: SessionDeps,
  tx: Transaction,
  { changes, ...tried }: Tried,
  change: BulkChange,
  { reason, ...by }: BulkOrder,
): Promise<Tried & { touched: string[] }> {
  for (let at = 0; at < changes.length; at += BATCH) {
    const part = changes.slice(at, at + BATCH);
    await accountAdmin.updateMany(
      tx,
      part.map(({ before }) => before.id),
      change,
    );
    await audit.append(
      tx,
      part.map(({ before, after }) => ({
        action: 'account.changed',
        actor: by.actor,
        target: { kind: 'Account', id: before.id },
        details: { ...differences(before, after), ...(reason !== undefined && { Reason: reason }) },
      })),
      by.origin,
    );
    await outbox.add(
      tx,
      part.flatMap(({ before, after }) => eventsOf(after, Object.keys(differences(before, after)), by)),
    );
  }
  return { ...tried, changes, touched: await applyToSessions(deps, tx, changes, by) };
}

/**
 * Ends the sessions that must end, and has the cached copies of the others written again. All sessions are locked
 * before that, in the order that is used everywhere, because ending them reason by reason would lock them in another
 * order.
 */
async function applyToSessions(
  deps: SessionDeps,
  tx: Transaction,
  changes: readonly Changing[],
  { actor, origin }: By,
): Promise<string[]> {
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  await sessionStatus.lockOfAccounts(
    tx,
    changes.map(({ before }) => before.id),
  );
  const touched: string[] = [];
  for (let at = 0; at < changes.length; at += BATCH) {
    const part = changes.slice(at, at + BATCH);
    for (const { ending, accountIds } of endingsOf(part)) {
      touched.push(
        ...(await endSessions(deps, tx, { kind: 'accounts', accountIds }, { ...ending, changedBy }, origin)),
      );
    }
    const accountIds = part.map(({ before }) => before.id);
    touched.push(...(await userSessions.renewCopies(tx, accountIds)));
  }
  return touched;
}

interface Ending {
  status: SessionStatus;
  reason: EndReason;
}

/** The accounts whose sessions must end, grouped by reason. */
function endingsOf(changes: readonly Changing[]): { ending: Ending; accountIds: string[] }[] {
  const byReason = new Map<string, { ending: Ending; accountIds: string[] }>();
  for (const { before, after } of changes) {
    const ending = endingOf(before, after);
    if (ending === undefined) continue;
    const group = byReason.get(ending.reason) ?? { ending, accountIds: [] };
    group.accountIds.push(before.id);
    byReason.set(ending.reason, group);
  }
  return [...byReason.values()];
}
