import type { Account } from '@gatehouse/db';
import type { AccountSettings } from '../settings/account-settings.ts';

/** Whether the account may have only one session. A service account may have several, one for each replica. */
export function isExclusive(
  { SINGLE_SESSION }: Pick<AccountSettings, 'SINGLE_SESSION'>,
  { isService }: Pick<Account, 'isService'>,
): boolean {
  return SINGLE_SESSION && !isService;
}
