import { isActive, SessionStatus } from '@gatehouse/auth-core';
import {
  accounts,
  sessionAdmin,
  sessionStatus,
  type Account,
  type Executor,
  type HeldSession,
} from '@gatehouse/db';
import type { AccountsDeps, Origin } from './deps.ts';
import { conditionOf } from './login-status.ts';
import { CHANGED_MAX, type Done, type Refused, type SessionChange } from './session-change.ts';
import { endSessions } from './sessions.ts';
import { setSessionStatus } from './set-session-status.ts';

/** Changes the session that was named, whether it is active or has ended. */
export async function changeOne(
  deps: AccountsDeps,
  tx: Executor,
  sessionId: string,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  const [record] = await sessionAdmin.findByIds(tx, [sessionId]);
  const account = record && (await accounts.lockById(tx, record.accountId));
  const held = account && (await sessionStatus.lockOne(tx, sessionId, deps.settings.SESSION_IDLE_SECONDS));
  if (account === undefined || held === undefined) return { refused: 'unknown' };
  if (change.status === SessionStatus.PendingInvite) return { refused: 'not_invited' };
  if (isActive(change.status) && (held.isEnded || held.hasRunOut)) {
    return revive(deps, tx, account, held, change, origin);
  }
  await setSessionStatus(deps, tx, [held], change, origin);
  return { sessionIds: [held.id], touchedIds: [held.id], invitations: [] };
}

/**
 * Makes a session that ended active again. The lock on the account makes it take turns with logins and with
 * other revivals, so that whichever comes last is the one that is left.
 */
async function revive(
  deps: AccountsDeps,
  tx: Executor,
  account: Account,
  held: HeldSession,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  if (held.isTooOld) return { refused: 'too_old' };
  if (conditionOf(account) !== undefined) return { refused: 'account_closed' };
  const isExclusive = deps.settings.SINGLE_SESSION;
  const others = { accountId: account.id, exceptSessionId: held.id };
  const changedBy = change.by.kind === 'Account' ? change.by.id : undefined;
  const replacement = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy };
  const replaced = isExclusive ? await endSessions(deps, tx, others, replacement, origin) : [];
  await setSessionStatus(deps, tx, [held], change, origin, { isExclusive });
  return { sessionIds: [held.id], touchedIds: [held.id, ...replaced], invitations: [] };
}

/** Changes every active session of an account that is locked. */
export async function changeOfAccount(
  deps: AccountsDeps,
  tx: Executor,
  account: Account,
  change: SessionChange,
  origin: Origin,
): Promise<Done | Refused> {
  const found = await sessionStatus.lockActiveOfAccount(tx, account.id, {
    idleSeconds: deps.settings.SESSION_IDLE_SECONDS,
    max: CHANGED_MAX + 1,
  });
  if (found.length > CHANGED_MAX) return { refused: 'too_many' };
  return changeAll(deps, tx, found, change, origin);
}

/** Changes those of the sessions that are active still. */
export async function changeHeldOnes(
  deps: AccountsDeps,
  tx: Executor,
  { ids, status }: { ids: readonly string[]; status: SessionStatus | undefined },
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const held = await sessionStatus.lockActive(tx, ids, {
    idleSeconds: deps.settings.SESSION_IDLE_SECONDS,
    status,
  });
  return changeAll(deps, tx, held, change, origin);
}

/** One that has run out is active no more, whatever its row says: it is ended with the others but not revived. */
async function changeAll(
  deps: AccountsDeps,
  tx: Executor,
  held: readonly HeldSession[],
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const meant = isActive(change.status) ? held.filter(({ hasRunOut }) => !hasRunOut) : held;
  await setSessionStatus(deps, tx, meant, change, origin);
  const sessionIds = meant.map(({ id }) => id);
  return { sessionIds, touchedIds: sessionIds, invitations: [] };
}
