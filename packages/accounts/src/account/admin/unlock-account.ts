import { accountAdmin, audit, inTransaction, loginThrottle } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../../deps.ts';
import { throttleKeysOf } from './account-throttle-keys.ts';
import type { By } from './create-account.ts';

/**
 * The result of unlocking. `failures`: how many failures no longer count against the account. `unproven`: as for other
 * changes of an administrator's account.
 */
export type Unlocking = { kind: 'unlocked'; failures: number } | { kind: 'unknown' } | { kind: 'unproven' };

/**
 * Ends the account's wait after failed logins, for the password and the second factor, from every address. Waits of an
 * address as a whole, which concern many accounts, remain; so do failures of attempts that begin after this.
 */
export async function unlockAccount(
  deps: Pick<AccountsDeps, 'db'>,
  accountId: string,
  { actor, origin, isUnproven }: By & { origin: Origin },
): Promise<Unlocking> {
  return inTransaction(deps.db, origin, async (tx): Promise<Unlocking> => {
    // Failures are counted by the email, which cannot change while the account is locked.
    const account = await accountAdmin.lock(tx, accountId);
    if (account === undefined) return { kind: 'unknown' };
    if (account.role === 'Admin' && isUnproven === true) return { kind: 'unproven' };
    const failures = await loginThrottle.clearAll(tx, throttleKeysOf(account));
    if (failures > 0) {
      const target = { kind: 'Account', id: accountId } as const;
      const details = { Failures: failures };
      await audit.append(tx, [{ action: 'account.unlocked', actor, target, details }], origin);
    }
    return { kind: 'unlocked', failures };
  });
}
