import { SessionStatus } from '@gatehouse/schema';
import type { HeldSession, Transaction, userSessions } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import type { Done, SessionChange } from '../session-admin/session-change.ts';
import { endSessions } from './sessions.ts';
import { setSessionStatus } from '../session-admin/set-session-status.ts';

/**
 * Makes sessions that ended active again. Under single-session enforcement `others`, all that is active of their
 * accounts, become `SessionReplaced`; `held` has one of each account at most then. The locks on the accounts make
 * it take turns with logins and with other revivals, so that whichever comes last is the one that is left.
 */
export async function reviveSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  { held, others }: { held: readonly HeldSession[]; others: userSessions.Target },
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const isExclusive = deps.settings.SINGLE_SESSION;
  const changedBy = change.by.kind === 'Account' ? change.by.id : undefined;
  const replacement = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy };
  const replaced = isExclusive ? await endSessions(deps, tx, others, replacement, origin) : [];
  await setSessionStatus(deps, tx, held, change, origin, { isExclusive });
  const sessionIds = held.map(({ id }) => id);
  return { kind: 'done', sessionIds, touchedIds: [...sessionIds, ...replaced], invitations: [] };
}
