import { isActive } from '@gatehouse/schema';
import {
  guestAccounts,
  sessionStatus,
  type Account,
  type HeldSession,
  type Transaction,
} from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import type { TargetSessions } from './find-sessions.ts';
import { conditionOf } from '../login/login-status.ts';
import { reviveSessions } from '../session/revive-sessions.ts';
import type { Done, SessionChange } from './session-change.ts';
import { setSessionStatus } from './set-session-status.ts';

/**
 * Changes those of the sessions that have ended still. An active status makes those active again that may be:
 * under single-session enforcement the newest of each account. The others stay as they are.
 */
export async function changeEndedOnes(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  { ids, accountIds, status }: TargetSessions,
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const owners = await guestAccounts.lockMany(tx, accountIds);
  const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
  const held = await sessionStatus.lockMany(tx, ids, { idleSeconds, status, isEnded: true });
  if (isActive(change.status)) {
    const able = revivable(held, owners);
    const meant = deps.settings.SINGLE_SESSION ? newestOfEach(able) : able;
    const others = { kind: 'accounts', accountIds: meant.map(({ accountId }) => accountId) } as const;
    return reviveSessions(deps, tx, { held: meant, others }, change, origin);
  }
  await setSessionStatus(deps, tx, held, change, origin);
  const sessionIds = held.map(({ id }) => id);
  return { kind: 'done', sessionIds, touchedIds: sessionIds, invitations: [] };
}

/** Those whose lifetime is not over and that nothing revoked for good, of accounts that could log in. */
function revivable(held: readonly HeldSession[], owners: readonly Account[]): HeldSession[] {
  const open = new Set(owners.filter((owner) => conditionOf(owner) === undefined).map(({ id }) => id));
  return held.filter(({ accountId, isTooOld, isRevoked }) => !isTooOld && !isRevoked && open.has(accountId));
}

/** The newest of each account, of sessions in the order of their ids, which is that of their age. */
function newestOfEach(held: readonly HeldSession[]): HeldSession[] {
  return [...new Map(held.map((session) => [session.accountId, session])).values()];
}
