import { accountAdmin, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { mailCodeForAdministrator } from '../checks/mailing.ts';
import type { TestAccounts } from './open-test-accounts.ts';

export async function mailCodeAsAdministrator(
  app: TestAccounts,
  accountId: string,
  purpose: 'complete' | 'reset',
): Promise<void> {
  await inTransaction(app.db, NO_DEADLINE, async (tx) => {
    const account = await accountAdmin.lock(tx, accountId);
    if (account === undefined) throw new Error('there is no such account');
    await mailCodeForAdministrator(app, tx, account, purpose, { traceId: 'a'.repeat(32) });
  });
  app.relay.wake();
}
