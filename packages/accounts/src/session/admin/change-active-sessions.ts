import { isActive, SessionStatus } from '@gatehouse/schema';
import {
  accounts,
  sessionAdmin,
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
import { CHANGED_MAX, type Done, type Refused, type SessionChange } from './session-change.ts';
import { setSessionStatus } from './set-session-status.ts';

/** Changes the session with this id, whether it is active or has ended. */
export async function changeOne(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  sessionId: string,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  const [record] = await sessionAdmin.findByIds(tx, [sessionId]);
  const account = record && (await accounts.lockById(tx, record.accountId));
  const locked = account && (await sessionStatus.lockOne(tx, sessionId, deps.settings.SESSION_IDLE_SECONDS));
  if (account === undefined || locked === undefined) return { kind: 'refused', reason: 'unknown' };
  if (change.status === SessionStatus.PendingInvite) return { kind: 'refused', reason: 'not_invited' };
  if (isActive(change.status) && (locked.isEnded || locked.hasRunOut)) {
    return revive(deps, tx, account, locked, change, origin);
  }
  await setSessionStatus(deps, tx, [locked], change, origin);
  return { kind: 'done', sessionIds: [locked.id], touchedIds: [locked.id], invitations: [] };
}

async function revive(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  account: Account,
  locked: LockedSession,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  if (locked.isTooOld) return { kind: 'refused', reason: 'too_old' };
  if (locked.isRevoked) return { kind: 'refused', reason: 'revoked' };
  if (conditionOf(account) !== undefined) return { kind: 'refused', reason: 'account_closed' };
  // The session itself may have expired without having been ended yet.
  const others = { kind: 'account', accountId: account.id, exceptSessionId: locked.id } as const;
  const replaced = isExclusive(deps.settings, account) ? others : undefined;
  return reviveSessions(deps, tx, { locked: [locked], owners: [account], others: replaced }, change, origin);
}

/** Changes every active session of an account that is locked. */
export async function changeOfAccount(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  account: Account,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  const found = await sessionStatus.lockActiveOfAccount(tx, account.id, {
    idleSeconds: deps.settings.SESSION_IDLE_SECONDS,
    max: CHANGED_MAX + 1,
  });
  if (found.length > CHANGED_MAX) return { kind: 'refused', reason: 'too_many' };
  return changeAll(deps, tx, found, change, origin);
}

/** Changes those of the sessions that are still active. */
export async function changeActiveSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  { ids, status }: TargetSessions,
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const locked = await sessionStatus.lockMany(tx, ids, {
    idleSeconds: deps.settings.SESSION_IDLE_SECONDS,
    status,
    isEnded: false,
  });
  return changeAll(deps, tx, locked, change, origin);
}

/** Sessions that have expired are no longer active, whatever their rows say: they can be ended, but not revived. */
async function changeAll(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  locked: readonly LockedSession[],
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const changed = isActive(change.status) ? locked.filter(({ hasRunOut }) => !hasRunOut) : locked;
  await setSessionStatus(deps, tx, changed, change, origin);
  const sessionIds = changed.map(({ id }) => id);
  return { kind: 'done', sessionIds, touchedIds: sessionIds, invitations: [] };
}
