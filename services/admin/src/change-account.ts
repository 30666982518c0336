import { actorOf, write, type WriteTransaction } from '@gatehouse/accounts';
import { accountAdmin, type ManagedAccount } from '@gatehouse/db';
import { confirmationRequired, type Input, type Refuse } from '@gatehouse/http';
import type { Caller } from '@gatehouse/auth-core';
import { unknownAccount } from './account-answer.ts';
import type { Deps } from './deps.ts';

type Asked = Pick<
  Input<Deps, 'bearer', undefined, undefined, undefined>,
  'deps' | 'caller' | 'request' | 'isConfirmed'
> & { params: { id: string }; refuse: Refuse<'not_found' | 'confirmation_required'> };

/**
 * Makes a change of an account that is locked, on behalf of an administrator. What `isSensitive` requires a fresh proof
 * of their identity.
 */
export async function changeLockedAccount<T>(
  { deps, params: { id }, caller, request, isConfirmed, refuse }: Asked,
  change: (tx: WriteTransaction, account: ManagedAccount) => Promise<T>,
  isSensitive = ({ role }: ManagedAccount) => role === 'Admin',
): Promise<T> {
  request.addToLog({ targetId: id });
  const isUnproven = !(await isConfirmed());
  const author = { actor: actorOf(caller), origin: request, target: { kind: 'Account', id } } as const;
  return write(deps, author, async (tx) => {
    const account = await accountAdmin.lock(tx, id);
    if (account === undefined) throw unknownAccount(refuse);
    if (isUnproven && isSensitive(account)) throw confirmationRequired(refuse);
    return change(tx, account);
  });
}

export const OWN_SECOND_FACTOR = 'Remove your own second factor on the account pages';

/**
 * Administrators change their own email and second factors as every owner does, with the proof that this requires.
 *
 * @throws {ApiError} 409 if the account is the caller's own.
 */
export function refuseOwnAccount(
  refuse: Refuse<'own_account'>,
  caller: Caller,
  accountId: string,
  detail: string,
): void {
  if (caller.kind === 'session' && caller.accountId === accountId) throw refuse('own_account', detail);
}
