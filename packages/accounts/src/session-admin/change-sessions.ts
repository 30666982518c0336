import { SessionStatus } from '@gatehouse/schema';
import {
  guestAccounts,
  inTransaction,
  sessionAdmin,
  type SessionRecord,
  type Transaction,
} from '@gatehouse/db';
import { changeHeldOnes, changeOfAccount, changeOne } from './change-active-sessions.ts';
import { changeEndedOnes } from './change-ended-sessions.ts';
import { deleteInvitationsOf, restoreInvitationsOf } from './change-invitations.ts';
import type { AccountsDeps, Origin } from '../deps.ts';
import { findTargetSessions, seen, type TargetSessions } from './find-sessions.ts';
import { publishRetired } from '../guest/remove-access.ts';
import {
  SHOWN_MAX,
  type Changed,
  type ChangeTarget,
  type Done,
  type Refused,
  type SessionChange,
} from './session-change.ts';

/**
 * Changes sessions at an administrator's word, all of them or none. An active session changes among the active
 * statuses without ending; one that ended becomes active again only when it is named itself or by a filter that asks
 * for its status, and then counts as seen now and, under single-session enforcement, replaces every other of its
 * account. What an account or any other filter names are active sessions, or the invitations of a pending guest.
 * Holds everywhere once this returned.
 */
export async function changeSessions(
  deps: AccountsDeps,
  target: ChangeTarget,
  change: SessionChange,
  origin: Origin,
): Promise<Changed> {
  const selected = await select(deps, target, change);
  if ('refused' in selected) return selected;
  const outcome = await inTransaction(deps.db, origin, async (tx) => {
    const done = await carryOut(deps, tx, selected, change, origin);
    if ('refused' in done) throw new Undone(done);
    const result = { ...done, shown: await sessionAdmin.findByIds(tx, newest(done.sessionIds)) };
    if (change.isTrial) throw new Undone(result);
    return result;
  }).catch((error: unknown) => {
    if (error instanceof Undone) return error.outcome;
    throw error;
  });
  if ('refused' in outcome) return outcome;
  const { shown, sessionIds, touchedIds, invitations } = outcome;
  if (!change.isTrial) await publishRetired(deps, touchedIds);
  return {
    sessions: await seen(deps, shown),
    invitations: invitations.slice(0, SHOWN_MAX),
    count: sessionIds.length + invitations.length,
  };
}

/** Rolls the transaction back; what it found out stays. */
class Undone extends Error {
  readonly outcome: Refused | (Done & { shown: SessionRecord[] });

  constructor(outcome: Undone['outcome']) {
    super('nothing is changed');
    this.outcome = outcome;
  }
}

type Selected = Exclude<ChangeTarget, { filter: unknown }> | TargetSessions;

/** Which sessions a filter means is asked of the cached sessions too, and so before the transaction. */
async function select(
  deps: AccountsDeps,
  target: ChangeTarget,
  change: SessionChange,
): Promise<Selected | Refused> {
  if (!('filter' in target)) return target;
  if (change.status === SessionStatus.PendingInvite) return { refused: 'not_invited' };
  return (await findTargetSessions(deps, target.filter)) ?? { refused: 'too_many' };
}

async function carryOut(
  deps: AccountsDeps,
  tx: Transaction,
  selected: Selected,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  if ('sessionId' in selected) return changeOne(deps, tx, selected.sessionId, change, origin);
  if ('ids' in selected) {
    const changeThem = selected.isEnded ? changeEndedOnes : changeHeldOnes;
    return changeThem(deps, tx, selected, change, origin);
  }
  const [account] = await guestAccounts.lockMany(tx, { ids: [selected.accountId] });
  if (account === undefined) return { refused: 'unknown' };
  if (change.status === SessionStatus.PendingInvite) {
    return restoreInvitationsOf(deps, tx, account, change, origin);
  }
  if (change.status === SessionStatus.DeletedInvite && account.signup === 'invitation') {
    return deleteInvitationsOf(deps, tx, account, change, origin);
  }
  return changeOfAccount(deps, tx, account, change, origin);
}

function newest(sessionIds: readonly string[]): string[] {
  return sessionIds.toSorted().slice(-SHOWN_MAX);
}
