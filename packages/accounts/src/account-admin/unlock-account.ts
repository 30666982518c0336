import { accountAdmin, audit, inTransaction, loginThrottle } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';
import { throttleKeysOf } from './account-throttle-keys.ts';
import type { By } from './create-account.ts';

/** The result of unlocking; `cleared`: the failures that no longer count against the account. */
export type Unlocking = { kind: 'unlocked'; failures: number } | { kind: 'unknown' };

/**
 * Ends the wait after failed logins, of the password and of the second factor, at every address. Waits of addresses,
 * which concern many accounts, stay; and so does what an attempt counts that begins after this.
 */
export async function unlockAccount(
  deps: Pick<AccountsDeps, 'db'>,
  accountId: string,
  { actor, origin }: By & { origin: Origin },
): Promise<Unlocking> {
  return inTransaction(deps.db, origin, async (tx): Promise<Unlocking> => {
    // The email that failures are counted by is not changed meanwhile.
    const account = await accountAdmin.lock(tx, accountId);
    if (account === undefined) return { kind: 'unknown' };
    const failures = await loginThrottle.clearAll(tx, throttleKeysOf(account));
    if (failures > 0) {
      const target = { kind: 'Account', id: accountId } as const;
      const details = { Failures: failures };
      await audit.append(tx, [{ action: 'account.unlocked', actor, target, details }], origin);
    }
    return { kind: 'unlocked', failures };
  });
}
