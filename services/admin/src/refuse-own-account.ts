import type { Caller } from '@gatehouse/auth-core';
import type { Refuse } from '@gatehouse/http';

/**
 * Administrators remove their own second factors as every owner does, with a proof by one of them.
 *
 * @throws {ApiError} 409 if the account is the caller's own.
 */
export function refuseOwnAccount(refuse: Refuse<'own_account'>, caller: Caller, accountId: string): void {
  if (caller.kind === 'session' && caller.accountId === accountId)
    throw refuse('own_account', 'Remove your own second factor on the account pages');
}
