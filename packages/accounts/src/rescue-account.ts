import { SessionStatus } from '@gatehouse/auth-core';
import { accountAdmin, audit, inTransaction, twoFactor, type ManagedAccount } from '@gatehouse/db';
import type { Administered } from './administer-account.ts';
import type { By } from './create-account.ts';
import type { AccountsDeps, Origin } from './deps.ts';
import { isResettable } from './login-status.ts';
import { mailCode, mailNotice } from './mailing.ts';
import { endSessions, publishSessions } from './sessions.ts';

/** An administrator, at work on a request. */
type Rescuer = By & { origin: Origin };

/** Has the owner mailed a code that sets a new password, as if the owner had asked for it. */
export async function startReset(deps: AccountsDeps, accountId: string, by: Rescuer): Promise<Administered> {
  const outcome = await inTransaction(deps.db, by.origin, async (tx): Promise<Administered> => {
    const account = await accountAdmin.lock(tx, accountId);
    if (account === undefined) return { unknown: true };
    if (!isResettable(account)) return { conflict: 'The account has no password that could be set anew now' };
    await mailCode(deps, tx, account, 'reset', by.origin);
    await audit.append(tx, [entryFor('account.reset-started', account, by)], by.origin);
    return { account };
  });
  deps.relay.wake();
  return outcome;
}

/**
 * Removes a second factor that its owner has lost, recovery codes and all. Sessions end, as whoever holds one
 * could set up a second factor of their own; the owner gets a mail, without the address of the administrator.
 */
export async function removeLostTwoFactor(
  deps: AccountsDeps,
  accountId: string,
  by: Rescuer,
): Promise<Administered> {
  const outcome = await inTransaction(
    deps.db,
    by.origin,
    async (tx): Promise<Administered & { ended?: string[] }> => {
      const account = await accountAdmin.lock(tx, accountId);
      if (account === undefined) return { unknown: true };
      if (!(await twoFactor.remove(tx, accountId)))
        return { conflict: 'Two-factor authentication is not on' };
      const { traceId } = by.origin;
      await mailNotice(deps, tx, account, 'account.two-factor-disabled', { UserId: accountId }, { traceId });
      await audit.append(tx, [entryFor('account.two-factor-removed', account, by)], by.origin);
      const changedBy = by.actor.kind === 'Account' ? by.actor.id : undefined;
      const change = { status: SessionStatus.Deactivated, reason: 'two_factor_removed', changedBy };
      return { account, ended: await endSessions(deps, tx, { accountId }, change, by.origin) };
    },
  );
  if ('ended' in outcome && outcome.ended !== undefined) await publishSessions(deps, outcome.ended);
  return outcome;
}

function entryFor(
  action: 'account.reset-started' | 'account.two-factor-removed',
  { id }: ManagedAccount,
  { actor }: By,
) {
  return { action, actor, target: { kind: 'Account', id } as const };
}
