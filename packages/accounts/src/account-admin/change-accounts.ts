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
import { isUuid, type SessionStatus } from '@gatehouse/schema';
import {
  conflictOf,
  differences,
  endingOf,
  eventsOf,
  mayTakeRights,
  type Changing,
} from './account-change.ts';
import type { By } from './create-account.ts';
import { accountFilterOf, type AccountQuery } from './find-accounts.ts';
import { keepDisabled } from '../erasure/keep-disabled.ts';
import { takesLastAdministrator } from './last-administrator.ts';
import type { Origin, SessionDeps } from '../deps.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

/** What is changed of many accounts at once: what says nothing of whose they are. */
export type BulkChange = Pick<
  AccountChange,
  'isDisabled' | 'expiresAt' | 'isTwoFactorRequired' | 'isNewPasswordRequired'
>;

/** Who asks for the change, why, and whether it is a dry run. */
export type BulkOrder = By & {
  origin: Origin;
  reason: string | undefined;
  isTrial: boolean;
  /** More accounts than this are not changed; without it `ACCOUNTS_CHANGED_MAX` alone counts. */
  countMax: number | undefined;
};

/**
 * What was changed, newest first, as it is after that. `skipped`: how many fit, but already are as they should be, or are
 * in a state that does not allow it. All other outcomes changed nothing.
 */
export type BulkOutcome =
  | { kind: 'changed'; accounts: ManagedAccount[]; skipped: number }
  | { kind: 'too_many' }
  | { kind: 'unconfirmed' }
  | { kind: 'last_administrator' };

/** What one call changes at most, so that it ends within a request's time. */
export const ACCOUNTS_CHANGED_MAX = 5000;
/** Keeps each statement well within its time-out. */
const BATCH = 1000;

/**
 * Changes all accounts that fit, or none: as `changeAccount`, each with its audit entry and its events. Those that do
 * not fit any more once they are held are left out. A trial reads alone, so that nobody waits for it.
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
    const fitting = await accountBulk.findFitting(deps.db, found.ids, found.filter);
    return tryOut(deps.db, fitting, change);
  }
  const outcome = await inTransaction(deps.db, order.origin, async (tx) => {
    if (mayTakeRights(change)) await administrators.lockRights(tx);
    const fitting = await accountBulk.lockFitting(tx, found.ids, found.filter);
    const tried = await tryOut(tx, fitting, change);
    if (tried.kind !== 'changed') return tried;
    if (tried.changes.length > (order.countMax ?? Infinity)) return { kind: 'unconfirmed' } as const;
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

/** What was found by its identifier fits; its text need not. */
function withoutIdentifier(filter: AccountFilter): AccountFilter {
  const { search } = filter;
  return search !== undefined && isUuid(search.trim()) ? { ...filter, search: undefined } : filter;
}

type Tried = Extract<BulkOutcome, { kind: 'changed' }> & { changes: Changing[] };

/** What a change makes of these accounts. */
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
 * Ends the sessions that cannot go on, and has the cached copies of the others written again. All are locked first, in
 * the one order that everybody locks sessions in: their ends come in an order of their own.
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
  reason: string;
}

/** The accounts whose sessions cannot go on, by why. */
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
