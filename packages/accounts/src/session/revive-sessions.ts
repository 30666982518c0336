import { SessionStatus } from '@gatehouse/schema';
import type { Account, LockedSession, Transaction, userSessions } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import type { Done, SessionChange } from './admin/session-change.ts';
import { isExclusive } from './is-exclusive.ts';
import { endSessions } from './sessions.ts';
import { setSessionStatus } from './admin/set-session-status.ts';

/**
 * Makes ended sessions active again. `others`, which are all active sessions of those accounts that may have only one,
 * become `SessionReplaced`; `locked` contains at most one session of each of these accounts. The locks on the accounts
 * serialise this with logins and other revivals, so that whichever comes last remains.
 */
export async function reviveSessions(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  {
    locked,
    owners,
    others,
  }: {
    locked: readonly LockedSession[];
    owners: readonly Account[];
    others: userSessions.Target | undefined;
  },
  change: SessionChange,
  origin: Origin,
): Promise<Done> {
  const changedBy = change.by.kind === 'Account' ? change.by.id : undefined;
  const replacement = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy } as const;
  const replaced = others === undefined ? [] : await endSessions(deps, tx, others, replacement, origin);
  const alone = new Set(owners.filter((owner) => isExclusive(deps.settings, owner)).map(({ id }) => id));
  for (const isAlone of [true, false]) {
    const part = locked.filter(({ accountId }) => alone.has(accountId) === isAlone);
    await setSessionStatus(deps, tx, part, change, origin, { isExclusive: isAlone });
  }
  const sessionIds = locked.map(({ id }) => id);
  const touchedIds = [...sessionIds, ...replaced];
  return { kind: 'done', sessionIds, touchedIds, invitations: [], isRevival: sessionIds.length > 0 };
}
