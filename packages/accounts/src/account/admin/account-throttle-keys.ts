import type { Account, ThrottleKey } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';

/** The keys that count failed logins of an account: its email, and for second factors also the account itself. */
export function throttleKeysOf({ id, email }: Pick<Account, 'id' | 'email'>): ThrottleKey[] {
  return [
    { kind: 'email', emailKey: emailKey(email) },
    { kind: 'second-factor', accountId: id },
  ];
}
