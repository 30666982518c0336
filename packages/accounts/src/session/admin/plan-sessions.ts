import { isActive, SessionStatus } from '@gatehouse/schema';
import {
  begunLogins,
  guestAccounts,
  sessionAdmin,
  sessionStatus,
  userSessions,
  type Account,
  type LockedSession,
} from '@gatehouse/db';
import { CHANGED_MAX, type Reading } from '../../bulk-change.ts';
import type { AccountsDeps } from '../../deps.ts';
import type { TargetSessions } from './find-sessions.ts';
import { conditionOf } from '../../checks/login-status.ts';
import { isExclusive } from '../is-exclusive.ts';
import { reviveSessions, type Revival } from '../revive-sessions.ts';
import type { Refused, SessionChange, SessionPlan } from './session-change.ts';
import { setSessionStatus } from './set-session-status.ts';

type Deps = Pick<AccountsDeps, 'settings' | 'slots' | 'activity'>;

/** Plans the change of the session with this id, whether it is active or has ended. */
export async function planOne(
  deps: Deps,
  at: Reading,
  sessionId: string,
  change: SessionChange,
): Promise<SessionPlan | Refused> {
  const [record] = await sessionAdmin.findByIds(at.executor, [sessionId]);
  const [account] =
    record === undefined ? [] : await guestAccounts.findMany(at.executor, [record.accountId], at);
  const [session] = account === undefined ? [] : await find(deps, at, { sessionId });
  if (account === undefined || session === undefined) return { kind: 'unknown' };
  if (change.status === SessionStatus.PendingInvite) return { kind: 'not_invited' };
  if (!isActive(change.status) || !(session.isEnded || session.hasRunOut))
    return planStatus(deps, [session], change);
  if (session.isTooOld) return { kind: 'too_old' };
  if (session.isRevoked) return { kind: 'revoked' };
  if (conditionOf(account) !== undefined) return { kind: 'account_closed' };
  return planRevival(deps, { revived: [session], owners: [account] }, change);
}

/** Plans the change of every active session of an account that is locked. */
export async function planOfAccount(
  deps: Deps,
  at: Reading,
  { id: accountId }: Account,
  change: SessionChange,
): Promise<SessionPlan | Refused> {
  const found = await find(deps, at, { accountId, max: CHANGED_MAX + 1 });
  if (found.length > CHANGED_MAX) return { kind: 'too_many' };
  const plan = planActive(deps, found, change);
  return {
    ...plan,
    carryOut: async (tx) => {
      // Also of an account without an active session.
      if (!isActive(change.status)) await begunLogins.deleteOf(tx, [accountId]);
      return plan.carryOut(tx);
    },
  };
}

/** Plans the change of those of the sessions that are still active, or still ended. */
export async function planMany(
  deps: Deps,
  at: Reading,
  { ids: sessionIds, accountIds, isEnded, status }: TargetSessions,
  change: SessionChange,
): Promise<SessionPlan> {
  if (!isEnded && !isActive(change.status) && at.tx !== undefined)
    await userSessions.lockOwners(at.tx, { kind: 'sessions', sessionIds });
  const owners = isEnded ? await guestAccounts.findMany(at.executor, accountIds, at) : [];
  const found = await find(deps, at, { sessionIds, status, isEnded });
  if (!isEnded) return planActive(deps, found, change);
  return isActive(change.status)
    ? planRevival(deps, revivalOf(deps, found, owners), change)
    : planStatus(deps, found, change);
}

function find(
  deps: Deps,
  { executor, locks }: Reading,
  which: sessionStatus.Which,
): Promise<LockedSession[]> {
  const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
  return sessionStatus.findToChange(executor, which, { idleSeconds, locks });
}

/** Sessions that have expired are no longer active, whatever their rows say: they can be ended, but not revived. */
function planActive(deps: Deps, found: readonly LockedSession[], change: SessionChange): SessionPlan {
  return planStatus(
    deps,
    isActive(change.status) ? found.filter(({ hasRunOut }) => !hasRunOut) : found,
    change,
  );
}

function planStatus(deps: Deps, sessions: readonly LockedSession[], change: SessionChange): SessionPlan {
  return {
    kind: 'planned',
    ...{ sessions, invitations: [], isRevival: false },
    carryOut: async (tx) => {
      await setSessionStatus(deps, tx, sessions, change);
      return sessions.map(({ id }) => id);
    },
  };
}

function planRevival(deps: Deps, revival: Revival, change: SessionChange): SessionPlan {
  const sessions = revival.revived;
  return {
    kind: 'planned',
    ...{ sessions, invitations: [], isRevival: sessions.length > 0 },
    carryOut: (tx) => reviveSessions(deps, tx, revival, change),
  };
}

/**
 * The ended sessions that may be active again: those within their lifetime that are not revoked, of accounts that could
 * log in; of accounts whose sessions take slots, only the newest.
 */
function revivalOf(deps: Deps, found: readonly LockedSession[], owners: readonly Account[]): Revival {
  const open = new Set(owners.filter((owner) => conditionOf(owner) === undefined).map(({ id }) => id));
  const able = found.filter(
    ({ accountId, isTooOld, isRevoked }) => !isTooOld && !isRevoked && open.has(accountId),
  );
  const alone = new Set(owners.filter((owner) => isExclusive(deps.settings, owner)).map(({ id }) => id));
  const single = able.filter(({ accountId }) => alone.has(accountId));
  // The sessions are in the order of their ids, and so of their age.
  const newest = [...new Map(single.map((session) => [session.accountId, session])).values()];
  return { revived: [...newest, ...able.filter(({ accountId }) => !alone.has(accountId))], owners };
}
