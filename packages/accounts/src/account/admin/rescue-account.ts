import { LoginStatus, SessionStatus } from '@gatehouse/schema';
import {
  accountAdmin,
  audit,
  inTransaction,
  recoveryCodes,
  twoFactor,
  type ManagedAccount,
} from '@gatehouse/db';
import type { AccountChangeResult } from './administer-account.ts';
import type { Throttled } from '../../checks/attempts.ts';
import type { By } from './create-account.ts';
import type { MailDeps, Origin, SessionDeps } from '../../deps.ts';
import { conditionOf, type AccountCondition } from '../../checks/login-status.ts';
import { mailCodeForAdministrator, mailNotice } from '../../checks/mailing.ts';
import { endSessions, publishSessions } from '../../session/sessions.ts';

type Deps = SessionDeps & MailDeps;

/** An administrator who makes a request. */
type Rescuer = By & { origin: Origin };

/**
 * Mails the owner a code for setting a new password, as if the owner had requested it; does nothing if the limit of
 * such mails is reached. The code also completes an account that waits for its owner.
 */
export async function startReset(
  deps: Deps,
  accountId: string,
  by: Rescuer,
): Promise<AccountChangeResult | Throttled> {
  const outcome = await inTransaction(
    deps.db,
    by.origin,
    async (tx): Promise<AccountChangeResult | Throttled> => {
      const account = await accountAdmin.lock(tx, accountId);
      if (account === undefined) return { kind: 'unknown' };
      if (account.role === 'Admin' && by.isUnproven === true) return { kind: 'unproven' };
      const reason = obstacleToReset(account);
      if (reason !== undefined) return { kind: 'conflict', reason };
      const throttled = await mailCodeForAdministrator(deps, tx, account, 'reset', by.origin);
      if (throttled !== undefined) return throttled;
      await audit.append(tx, [entryFor('account.reset-started', account, by)], by.origin);
      return { kind: 'changed', account };
    },
  );
  deps.relay.wake();
  return outcome;
}

/** Why a new password would not make the account usable; `undefined` if it would. */
function obstacleToReset(account: ManagedAccount): string | undefined {
  const condition = conditionOf(account);
  return condition && OBSTACLES[condition];
}

const OBSTACLES: Partial<Record<AccountCondition, string>> = {
  [LoginStatus.IsDisabled]: 'The account is disabled',
  [LoginStatus.IsExpired]: 'The account has expired',
  [LoginStatus.IsPendingInvitation]: 'The account is waiting for its guest to accept the invitation',
};

/**
 * Removes an authenticator that its owner has lost, together with the recovery codes unless a passkey needs them. All
 * sessions end, because an attacker with a stolen session could otherwise set up a second factor. The owner gets a
 * mail, without the administrator's address.
 */
export async function removeLostTwoFactor(
  deps: Deps,
  accountId: string,
  by: Rescuer,
): Promise<AccountChangeResult> {
  const { result, ended } = await inTransaction(
    deps.db,
    by.origin,
    async (tx): Promise<{ result: AccountChangeResult; ended: string[] }> => {
      const account = await accountAdmin.lock(tx, accountId);
      if (account === undefined) return { result: { kind: 'unknown' }, ended: [] };
      if (!(await twoFactor.remove(tx, accountId))) return { result: NOT_ENABLED, ended: [] };
      await recoveryCodes.deleteUnneeded(tx, accountId);
      const { traceId } = by.origin;
      await mailNotice(deps, tx, account, 'account.two-factor-disabled', { UserId: accountId }, { traceId });
      await audit.append(tx, [entryFor('account.two-factor-removed', account, by)], by.origin);
      const changedBy = by.actor.kind === 'Account' ? by.actor.id : undefined;
      const change = { status: SessionStatus.Deactivated, reason: 'two_factor_removed', changedBy } as const;
      return {
        result: { kind: 'changed', account },
        ended: await endSessions(deps, tx, { kind: 'account', accountId }, change, by.origin),
      };
    },
  );
  if (result.kind === 'changed') await publishSessions(deps, ended);
  return result;
}

const NOT_ENABLED = { kind: 'conflict', reason: 'Two-factor authentication is not enabled' } as const;

function entryFor(
  action: 'account.reset-started' | 'account.two-factor-removed',
  { id }: ManagedAccount,
  { actor }: By,
) {
  return { action, actor, target: { kind: 'Account', id } as const };
}
