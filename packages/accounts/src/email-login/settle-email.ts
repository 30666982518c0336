import {
  accountCodes,
  accounts,
  audit,
  inTransaction,
  loginCodes,
  outbox,
  type Account,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { byOwner } from '../actor.ts';
import { accountUpdated, differingNames } from '../account/admin/account-updated.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import { isVerifiable } from '../checks/login-status.ts';
import type { AccountsDeps, Origin } from '../deps.ts';

type Deps = Pick<AccountsDeps, 'db' | 'relay' | 'activity'>;

/**
 * Verifies the email of an account that waits for that alone, because a mailed code was right; returns the account as it
 * is now. What was registered is discarded, the password above all: whoever reads the mails has not shown that they
 * registered it, and a stranger who did would keep a way in. A contested registration stays as it is.
 */
export async function settleEmail(
  deps: Deps,
  seen: Account,
  codeId: string,
  origin: Origin,
): Promise<Account | undefined> {
  if (!isSettled(seen)) return seen;
  const settled = await inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.lockById(tx, seen.id);
    if (account === undefined || !isSettled(account) || !(await loginCodes.isLiving(tx, codeId)))
      return account;
    countOnCommit(deps, tx, 'verification');
    await accounts.discardRegistration(tx, account.id);
    await accounts.markEmailVerified(tx, account.id);
    // Used later, they would discard what the owner has set since.
    await accountCodes.deleteVerifying(tx, account.id);
    const after = await accounts.findById(tx, account.id);
    const changed = after === undefined ? [] : differingNames(account, after);
    await outbox.add(tx, [
      newEvent('account.verified', { UserId: account.id }, origin),
      ...accountUpdated(account.id, changed, { changedBy: account.id, origin }),
    ]);
    await audit.append(tx, [byOwner('account.verified', account.id, { Contested: true })], origin);
    return after;
  });
  deps.relay.wake();
  return settled;
}

function isSettled(account: Account): boolean {
  return isVerifiable(account) && !account.isContested;
}
