import type { OnSessionOpen } from '@gatehouse/accounts';
import { accounts, type Executor } from '@gatehouse/db';
import type { ApiError, Refuse } from '@gatehouse/http';

type RefuseOthers = Refuse<'forbidden'>;

/**
 * An additional condition of a login to the console, in the transaction that opens the session: a user who is no longer an
 * administrator loses no session and no code. `refused` is called for such a user.
 */
export function admitAdministrator(
  refuse: RefuseOthers,
  refused: (accountId: string) => void,
): OnSessionOpen {
  return async (tx, { accountId }) => {
    if (await isAdministrator(tx, accountId)) return;
    refused(accountId);
    throw onlyAdministrators(refuse);
  };
}

/** @throws {ApiError} 403 if the account is not an administrator. */
export async function requireAdministrator(
  executor: Executor,
  accountId: string,
  refuse: RefuseOthers,
): Promise<void> {
  if (!(await isAdministrator(executor, accountId))) throw onlyAdministrators(refuse);
}

async function isAdministrator(executor: Executor, accountId: string): Promise<boolean> {
  return (await accounts.findById(executor, accountId))?.role === 'Admin';
}

function onlyAdministrators(refuse: RefuseOthers): ApiError {
  return refuse('forbidden', 'The console is for administrators');
}
