import type { Account } from '@gatehouse/db';
import type { AccountSettings } from '../settings/account-settings.ts';

/** Whether a session of the account is its only one. Those of a service account live side by side, one for each replica. */
export function isExclusive(
  { SINGLE_SESSION }: Pick<AccountSettings, 'SINGLE_SESSION'>,
  { isService }: Pick<Account, 'isService'>,
): boolean {
  return SINGLE_SESSION && !isService;
}
