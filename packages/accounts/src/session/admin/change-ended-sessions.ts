import { isActive } from '@gatehouse/schema';
import {
  guestAccounts,
  sessionStatus,
  type Account,
  type LockedSession,
  type Transaction,
} from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../../deps.ts';
import type { TargetSessions } from './find-sessions.ts';
import { conditionOf } from '../../checks/login-status.ts';
import { isExclusive } from '../is-exclusive.ts';
import { reviveSessions } from '../revive-sessions.ts';
import type { Done, SessionChange } from './session-change.ts';
import { setSessionStatus } from './set-session-status.ts';

/**
 * Changes those of the sessions that are still ended. An active status revives the sessions that may be revived; for
 * accounts with a single session, only the newest. The other sessions stay as they are.
 */
export async function changeEndedSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  { ids, accountIds, status }: TargetSessions,
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const owners = await guestAccounts.lockMany(tx, accountIds);
  const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
  const locked = await sessionStatus.lockMany(tx, ids, { idleSeconds, status, isEnded: true });
  if (isActive(change.status)) {
    const able = revivable(locked, owners);
    const alone = new Set(owners.filter((owner) => isExclusive(deps.settings, owner)).map(({ id }) => id));
    const newest = newestOfEach(able.filter(({ accountId }) => alone.has(accountId)));
    const others = { kind: 'accounts', accountIds: newest.map(({ accountId }) => accountId) } as const;
    const revived = [...newest, ...able.filter(({ accountId }) => !alone.has(accountId))];
    return reviveSessions(deps, tx, { locked: revived, owners, others }, change, origin);
  }
  await setSessionStatus(deps, tx, locked, change, origin);
  const sessionIds = locked.map(({ id }) => id);
  return { kind: 'done', sessionIds, touchedIds: sessionIds, invitations: [] };
}

/** The sessions within their lifetime that are not revoked, of accounts that could log in. */
function revivable(locked: readonly LockedSession[], owners: readonly Account[]): LockedSession[] {
  const open = new Set(owners.filter((owner) => conditionOf(owner) === undefined).map(({ id }) => id));
  return locked.filter(
    ({ accountId, isTooOld, isRevoked }) => !isTooOld && !isRevoked && open.has(accountId),
  );
}

/** The newest session of each account; the given sessions are in the order of their ids, and so of their age. */
function newestOfEach(locked: readonly LockedSession[]): LockedSession[] {
  return [...new Map(locked.map((session) => [session.accountId, session])).values()];
}
