import type { Account } from '@gatehouse/db';
import type { AccountSettings } from '../settings/account-settings.ts';

/**
 * Whether the owner may log in with a mailed code: never an administrator, because whoever reads the mails would have
 * the console, and never a program, because nobody reads its mails.
 */
export function allowsEmailLogin(
  { EMAIL_LOGIN }: Pick<AccountSettings, 'EMAIL_LOGIN'>,
  { role, isService }: Pick<Account, 'role' | 'isService'>,
): boolean {
  if (isService || role === 'Admin') return false;
  return EMAIL_LOGIN === 'users' || (EMAIL_LOGIN === 'guests' && role === 'Guest');
}
