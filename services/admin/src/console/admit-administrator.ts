import type { OnSessionOpen } from '@gatehouse/accounts';
import { accounts, type Executor } from '@gatehouse/db';
import type { ApiError, Refuse } from '@gatehouse/http';

type RefuseOthers = Refuse<'forbidden'>;

/**
 * An additional condition of a login to the console, in the transaction that opens the session: a user who is no longer an
 * administrator loses no session and no code.
 */
export function admitAdministrator(refuse: RefuseOthers): OnSessionOpen {
  return (tx, { accountId }) => requireAdministrator(tx, accountId, refuse);
}

/** @throws {ApiError} 403 if the account is not an administrator. */
export async function requireAdministrator(
  executor: Executor,
  accountId: string,
  refuse: RefuseOthers,
): Promise<void> {
  const account = await accounts.findById(executor, accountId);
  if (account?.role !== 'Admin') throw onlyAdministrators(refuse);
}

function onlyAdministrators(refuse: RefuseOthers): ApiError {
  return refuse('forbidden', 'The console is for administrators');
}
