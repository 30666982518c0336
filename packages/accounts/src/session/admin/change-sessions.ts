import { SessionStatus } from '@gatehouse/schema';
import {
  guestAccounts,
  inTransaction,
  sessionAdmin,
  type SessionRecord,
  type Transaction,
} from '@gatehouse/db';
import { changeActiveSessions, changeOfAccount, changeOne } from './change-active-sessions.ts';
import { changeEndedSessions } from './change-ended-sessions.ts';
import { deleteInvitationsOf, restoreInvitationsOf } from './change-invitations.ts';
import type { GuestDeps, NoticeDeps, Origin, PresenceDeps, SessionDeps } from '../../deps.ts';
import { findTargetSessions, withCurrentState, type TargetSessions } from './find-sessions.ts';
import { publishRetired } from '../../guest/remove-access.ts';
import {
  SHOWN_MAX,
  type Changed,
  type ChangeTarget,
  type Done,
  type Refused,
  type SessionChange,
} from './session-change.ts';
import { UNPROVEN_MAX } from '../../unproven-max.ts';

type Deps = SessionDeps & NoticeDeps & PresenceDeps & GuestDeps;

/**
 * Changes sessions on behalf of an administrator, all of them or none. An active session can change between the active
 * statuses without ending. An ended session becomes active again only if it is selected by its id or by a filter for
 * its status; it then counts as seen now and, if single sessions are enforced, replaces all other sessions of its
 * account. An account, or any other filter, selects active sessions, or the invitations of a pending guest. When this
 * returns, the change is effective everywhere.
 */
export async function changeSessions(
  deps: Deps,
  target: ChangeTarget,
  change: SessionChange,
  origin: Origin,
): Promise<Changed> {
  const selected = await select(deps, target, change);
  if (selected.kind === 'refused') return selected;
  const outcome = await inTransaction<Shown | Refused>(deps.db, origin, async (tx, rollBack) => {
    const done = await carryOut(deps, tx, selected, change, origin);
    if (done.kind === 'refused') return rollBack(done);
    if (change.isUnproven === true && !change.isTrial && (await needsProof(tx, done)))
      return rollBack({ kind: 'refused', reason: 'unproven' });
    const shown = await sessionAdmin.findByIds(tx, newest(done.sessionIds).slice(0, SHOWN_MAX));
    const result = { ...done, shown, accountCount: await countAccounts(tx, done) };
    return change.isTrial ? rollBack(result) : result;
  });
  if (outcome.kind === 'refused') return outcome;
  const { shown, sessionIds, touchedIds, invitations, accountCount } = outcome;
  if (!change.isTrial) await publishRetired(deps, touchedIds);
  return {
    kind: 'changed',
    sessions: await withCurrentState(deps, shown),
    invitations: invitations.slice(0, SHOWN_MAX),
    ids: [...newest(sessionIds), ...invitations.map(({ id }) => id)],
    accountCount,
  };
}

/** Whether a change requires a fresh proof of the administrator's identity. */
async function needsProof(tx: Transaction, { sessionIds, invitations, isRevival }: Done): Promise<boolean> {
  if (isRevival === true || sessionIds.length + invitations.length > UNPROVEN_MAX) return true;
  return sessionAdmin.includesAdministrator(tx, sessionIds);
}

type Shown = Done & { shown: SessionRecord[]; accountCount: number };
type Selected = Exclude<ChangeTarget, { kind: 'filter' | 'named' }> | ({ kind: 'sessions' } & TargetSessions);

/** Finds the sessions that a filter matches; before the transaction, because this also reads cached sessions. */
async function select(deps: Deps, target: ChangeTarget, change: SessionChange): Promise<Selected | Refused> {
  if (target.kind === 'session' || target.kind === 'account') return target;
  if (change.status === SessionStatus.PendingInvite) return { kind: 'refused', reason: 'not_invited' };
  if (target.kind === 'named') {
    return { kind: 'sessions', ids: target.sessionIds, accountIds: [], isEnded: false, status: undefined };
  }
  const found = await findTargetSessions(deps, target.filter);
  return found === undefined ? { kind: 'refused', reason: 'too_many' } : { kind: 'sessions', ...found };
}

async function carryOut(
  deps: Deps,
  tx: Transaction,
  selected: Selected,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  if (selected.kind === 'session') return changeOne(deps, tx, selected.sessionId, change, origin);
  if (selected.kind === 'sessions') {
    const changeThem = selected.isEnded ? changeEndedSessions : changeActiveSessions;
    return changeThem(deps, tx, selected, change, origin);
  }
  const [account] = await guestAccounts.lockMany(tx, [selected.accountId]);
  if (account === undefined) return { kind: 'refused', reason: 'unknown' };
  if (change.status === SessionStatus.PendingInvite) {
    return restoreInvitationsOf(deps, tx, account, change, origin);
  }
  if (change.status === SessionStatus.DeletedInvite && account.signup === 'invitation') {
    return deleteInvitationsOf(deps, tx, account, change, origin);
  }
  return changeOfAccount(deps, tx, account, change, origin);
}

/** Sorted newest first: identifiers are ordered by time. */
function newest(sessionIds: readonly string[]): string[] {
  return sessionIds.toSorted().toReversed();
}

/** How many accounts are affected; the invitations of one call belong to one guest. */
async function countAccounts(tx: Transaction, { sessionIds, invitations }: Done): Promise<number> {
  return (await sessionAdmin.countOwners(tx, sessionIds)) + Math.min(1, invitations.length);
}
