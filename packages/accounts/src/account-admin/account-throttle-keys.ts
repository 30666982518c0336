import type { Account, ThrottleKey } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';

/** What failed logins of an account are counted by: its email, and for second factors the account itself as well. */
export function throttleKeysOf({ id, email }: Pick<Account, 'id' | 'email'>): ThrottleKey[] {
  return [
    { kind: 'email', emailKey: emailKey(email) },
    { kind: 'second-factor', accountId: id },
  ];
}
