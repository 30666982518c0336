import { LoginStatus } from '@gatehouse/schema';
import type { Account } from '@gatehouse/db';
import type { AccountSettings } from '../settings/account-settings.ts';

export type AccountCondition = Exclude<
  LoginStatus,
  typeof LoginStatus.TwoFactorSetupRequired | typeof LoginStatus.TwoFactorCodeRequired
>;

export const SIGNUP_CONDITIONS = {
  new: LoginStatus.IsPendingNewAccountSignup,
  migration: LoginStatus.IsPendingAccountMigrationSignup,
  invitation: LoginStatus.IsPendingInvitation,
} as const;

/** The condition that prevents a login with the correct password; `undefined` if there is none. */
export function conditionOf(
  account: Pick<Account, 'isDisabled' | 'isExpired' | 'signup' | 'isEmailVerified' | 'isNewPasswordRequired'>,
): AccountCondition | undefined {
  if (account.isDisabled) return LoginStatus.IsDisabled;
  if (account.isExpired) return LoginStatus.IsExpired;
  if (account.signup !== 'complete') return SIGNUP_CONDITIONS[account.signup];
  if (!account.isEmailVerified) return LoginStatus.IsPendingEmailConfirmation;
  if (account.isNewPasswordRequired) return LoginStatus.IsPendingNewPassword;
  return undefined;
}

/** Whether the password alone is not enough for a session: there is a second factor, or one is required. */
export function requiresSecondFactor(account: Pick<Account, 'isTwoFactorEnabled' | 'isTwoFactorRequired'>) {
  return account.isTwoFactorEnabled || account.isTwoFactorRequired;
}

/** Whether the account has a second factor to use where one is required: then none has to be set up. */
export function hasSecondFactor(account: Pick<Account, 'isTwoFactorEnabled' | 'hasPasskey'>): boolean {
  return account.isTwoFactorEnabled || account.hasPasskey;
}

/** Whether the account is protected by an existing second factor: its password alone proves nothing. */
export function usesSecondFactor(
  account: Pick<Account, 'isTwoFactorEnabled' | 'isTwoFactorRequired' | 'hasPasskey'>,
): boolean {
  return requiresSecondFactor(account) && hasSecondFactor(account);
}

/** Whether the account waits for its owner to choose a first password (login status 5, 6 or 9). */
export function isPendingWithoutPassword(account: Account): boolean {
  return !account.isDisabled && !account.isExpired && account.signup !== 'complete';
}

/**
 * Whether whoever reads its mails may verify or complete it with a code that anybody can request. An elevated role
 * needs a code that an administrator had mailed: a stranger must not trigger that step.
 */
export function isOpenToRegistration({ role }: Pick<Account, 'role'>): boolean {
  return role === 'User';
}

/** Whether the owner could set a new password with a mailed code, and could then use the account again. */
export function isResettable(account: Account): boolean {
  return isVerifiable(account) || isCompletable(account) || RESETTABLE.includes(conditionOf(account));
}

/** Whether an administrator created the account for its owner, who completes it by choosing a password. */
export function isCompletable(account: Account): boolean {
  const isWaiting = account.signup === 'new' || account.signup === 'migration';
  return isWaiting && !account.isDisabled && !account.isExpired && isOpenToRegistration(account);
}

/** Whether a code that verifies the email is all that the account waits for. */
export function isVerifiable(account: Account): boolean {
  return conditionOf(account) === LoginStatus.IsPendingEmailConfirmation && isOpenToRegistration(account);
}

const RESETTABLE: readonly (LoginStatus | undefined)[] = [undefined, LoginStatus.IsPendingNewPassword];

/** The status that the next login with the correct password returns; `undefined` if it returns tokens. */
export function loginStatusOf(account: Account): LoginStatus | undefined {
  const condition = conditionOf(account);
  if (condition !== undefined) return condition;
  if (!requiresSecondFactor(account)) return undefined;
  return hasSecondFactor(account) ? LoginStatus.TwoFactorCodeRequired : LoginStatus.TwoFactorSetupRequired;
}

/** Never an administrator, as who reads the mails would have the console, nor a program, as nobody reads its mails. */
export function allowsEmailLogin(
  { EMAIL_LOGIN }: Pick<AccountSettings, 'EMAIL_LOGIN'>,
  { role, isService }: Pick<Account, 'role' | 'isService'>,
): boolean {
  if (isService || role === 'Admin') return false;
  return EMAIL_LOGIN === 'users' || (EMAIL_LOGIN === 'guests' && role === 'Guest');
}
