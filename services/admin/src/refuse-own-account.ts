import type { Caller } from '@gatehouse/auth-core';
import type { Refuse } from '@gatehouse/http';

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
