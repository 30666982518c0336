import { isActive, SessionStatus } from '@gatehouse/schema';
import { guestAccounts, sessionAdmin, type SessionRecord } from '@gatehouse/db';
import { changeInBulk, SHOWN_MAX, unproven, type Reading } from '../../bulk-change.ts';
import type { AccountsDeps, GuestDeps, NoticeDeps, PresenceDeps, SessionDeps } from '../../deps.ts';
import { publishRetired } from '../../guest/remove-access.ts';
import { planDeletion, planRestoration } from './change-invitations.ts';
import { findTargetSessions, withCurrentState, type TargetSessions } from './find-sessions.ts';
import { planMany, planOfAccount, planOne } from './plan-sessions.ts';
import type { Changed, ChangeTarget, Refused, SessionChange, SessionPlan } from './session-change.ts';

type Deps = SessionDeps & NoticeDeps & PresenceDeps & GuestDeps & Pick<AccountsDeps, 'slots'>;

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
): Promise<Changed> {
  const selected = await select(deps, target, change);
  if ('refused' in selected) return selected.refused;
  const outcome = await changeInBulk<SessionPlan, Done, Refused>(deps, change, {
    plan: (at) => planChange(deps, at, selected, change),
    refuse: async ({ sessions, invitations, isRevival }, tx) =>
      unproven(
        change,
        sessions.length + invitations.length,
        isRevival || (change.isUnproven && (await sessionAdmin.includesAdministrator(tx, idsOf(sessions)))),
      ),
    carryOut: async (tx, plan) => {
      const touched = await plan.carryOut(tx);
      return { ...plan, kind: 'done', touched, shown: await sessionAdmin.findByIds(tx, newestOf(plan)) };
    },
  });
  if (outcome.kind !== 'planned' && outcome.kind !== 'done') return outcome;
  if (outcome.kind === 'done') await publishRetired(deps, outcome.touched);
  const { sessions, invitations } = outcome;
  const ids = [...idsOf(sessions), ...idsOf(invitations)];
  const shown = outcome.kind === 'done' ? outcome.shown : await asChanged(deps, outcome, change);
  return {
    kind: 'changed',
    sessions: await withCurrentState(deps, shown),
    invitations: invitations.slice(0, SHOWN_MAX),
    ids,
    count: ids.length,
    accountCount: new Set([...sessions, ...invitations].map(({ accountId }) => accountId)).size,
  };
}

type Done = Omit<SessionPlan, 'kind'> & { kind: 'done'; touched: readonly string[]; shown: SessionRecord[] };
type Selected = Exclude<ChangeTarget, { kind: 'filter' | 'named' }> | ({ kind: 'sessions' } & TargetSessions);

/** Finds the sessions that a filter matches; before the transaction, because this also reads cached sessions. */
async function select(
  deps: Deps,
  target: ChangeTarget,
  change: SessionChange,
): Promise<Selected | { refused: Refused }> {
  if (target.kind === 'session' || target.kind === 'account') return target;
  if (change.status === SessionStatus.PendingInvite) return { refused: { kind: 'not_invited' } };
  if (target.kind === 'named') {
    return { kind: 'sessions', ids: target.sessionIds, accountIds: [], isEnded: false, status: undefined };
  }
  const found = await findTargetSessions(deps, target.filter);
  return found === undefined ? { refused: { kind: 'too_many' } } : { kind: 'sessions', ...found };
}

async function planChange(
  deps: Deps,
  at: Reading,
  selected: Selected,
  change: SessionChange,
): Promise<SessionPlan | Refused> {
  if (selected.kind === 'session') return planOne(deps, at, selected.sessionId, change);
  if (selected.kind === 'sessions') return planMany(deps, at, selected, change);
  const [account] = await guestAccounts.findMany(at.executor, [selected.accountId], at);
  if (account === undefined) return { kind: 'unknown' };
  if (change.status === SessionStatus.PendingInvite) {
    return planRestoration(deps, at, account, change);
  }
  if (change.status === SessionStatus.DeletedInvite && account.signup === 'invitation') {
    return planDeletion(deps, at, account, change);
  }
  return planOfAccount(deps, at, account, change);
}

/** The newest sessions as they would be after the change. */
async function asChanged(deps: Deps, plan: SessionPlan, change: SessionChange): Promise<SessionRecord[]> {
  const now = new Date(deps.now());
  const found = await sessionAdmin.findByIds(deps.db, newestOf(plan));
  return found.map((session) => ({
    ...session,
    status: change.status,
    endedAt: isActive(change.status) ? null : (session.endedAt ?? now),
    lastSeenAt: plan.isRevival ? now : session.lastSeenAt,
  }));
}

function newestOf({ sessions }: SessionPlan): string[] {
  return idsOf(sessions).slice(0, SHOWN_MAX);
}

/** Newest first: identifiers are ordered by time. */
function idsOf(rows: readonly { id: string }[]): string[] {
  return rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
}
