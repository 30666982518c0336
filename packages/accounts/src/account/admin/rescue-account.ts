import { LoginStatus } from '@gatehouse/schema';
import { accountAdmin, audit, inTransaction, type ManagedAccount } from '@gatehouse/db';
import type { AccountChangeResult } from './administer-account.ts';
import type { Throttled } from '../../checks/attempts.ts';
import type { By } from './create-account.ts';
import type { MailDeps, Origin, SessionDeps } from '../../deps.ts';
import { conditionOf, type AccountCondition } from '../../checks/login-status.ts';
import { mailCodeForAdministrator } from '../../checks/mailing.ts';

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
      const target = { kind: 'Account', id: accountId } as const;
      await audit.append(tx, [{ action: 'account.reset-started', actor: by.actor, target }], by.origin);
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
