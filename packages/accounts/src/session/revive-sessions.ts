import { SessionStatus } from '@gatehouse/schema';
import type { Account, LockedSession, Transaction, userSessions } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';
import type { SessionChange } from './admin/session-change.ts';
import { isExclusive } from './is-exclusive.ts';
import { endSessions } from './sessions.ts';
import { setSessionStatus } from './admin/set-session-status.ts';

/**
 * Which ended sessions become active again. `others`, which are all active sessions of those accounts that may have
 * only one, become `SessionReplaced`; `revived` contains at most one session of each of these accounts.
 */
export interface Revival {
  revived: readonly LockedSession[];
  owners: readonly Account[];
  others: userSessions.Target | undefined;
}

/**
 * Makes ended sessions active again; returns all sessions that this changed. The locks on the accounts serialise this
 * with logins and other revivals, so that whichever comes last remains.
 */
export async function reviveSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  { revived, owners, others }: Revival,
  change: SessionChange,
): Promise<string[]> {
  const changedBy = change.actor.kind === 'Account' ? change.actor.id : undefined;
  const replacement = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy } as const;
  const replaced =
    others === undefined ? [] : await endSessions(deps, tx, others, replacement, change.origin);
  const alone = new Set(owners.filter((owner) => isExclusive(deps.settings, owner)).map(({ id }) => id));
  for (const isAlone of [true, false]) {
    const part = revived.filter(({ accountId }) => alone.has(accountId) === isAlone);
    await setSessionStatus(deps, tx, part, change, { isExclusive: isAlone });
  }
  return [...revived.map(({ id }) => id), ...replaced];
}
