import { LoginStatus } from '@gatehouse/schema';
import type { Account } from '@gatehouse/db';

/** The conditions of an account that stand in the way of a login, two-factor apart. */
export type AccountCondition = Exclude<
  LoginStatus,
  typeof LoginStatus.TwoFactorSetupRequired | typeof LoginStatus.TwoFactorCodeRequired
>;

const SIGNUP_CONDITIONS = {
  new: LoginStatus.IsPendingNewAccountSignup,
  migration: LoginStatus.IsPendingAccountMigrationSignup,
  invitation: LoginStatus.IsPendingInvitation,
} as const;

/** What stands in the way of a login with the right password; `undefined` when nothing. */
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

/** Whether the password alone opens no session: there is a second factor, or there has to be one. */
export function asksForSecondFactor(
  account: Pick<Account, 'isTwoFactorEnabled' | 'isTwoFactorRequired'>,
): boolean {
  return account.isTwoFactorEnabled || account.isTwoFactorRequired;
}

/** Whether the account has a second factor to show, wherever that is taken: what it has is not set up anew. */
export function hasSecondFactor(account: Pick<Account, 'isTwoFactorEnabled' | 'hasPasskey'>): boolean {
  return account.isTwoFactorEnabled || account.hasPasskey;
}

/** Whether the account is protected by a second factor that it has: its password alone proves nothing. */
export function usesSecondFactor(
  account: Pick<Account, 'isTwoFactorEnabled' | 'isTwoFactorRequired' | 'hasPasskey'>,
): boolean {
  return asksForSecondFactor(account) && hasSecondFactor(account);
}

/** Whether the account waits for its owner to choose a first password (login status 5, 6 or 9). */
export function isPendingWithoutPassword(account: Account): boolean {
  return !account.isDisabled && !account.isExpired && account.signup !== 'complete';
}

/**
 * Whether the account may be completed by anyone who reads its mails, by registering and verifying it. An account
 * with an elevated role needs a code that an administrator has mailed, so that a stranger cannot trigger that step.
 */
export function isOpenToRegistration({ role }: Pick<Account, 'role'>): boolean {
  return role === 'User';
}

/** Whether the owner could set a new password with a code from a mail, and it would open the account again. */
export function isResettable(account: Account): boolean {
  return isVerifiable(account) || RESETTABLE.includes(conditionOf(account));
}

/** Whether the account waits for nothing but a code that verifies its email. */
export function isVerifiable(account: Account): boolean {
  return conditionOf(account) === LoginStatus.IsPendingEmailConfirmation && isOpenToRegistration(account);
}

const RESETTABLE: readonly (LoginStatus | undefined)[] = [undefined, LoginStatus.IsPendingNewPassword];

/** What the next login with the right password would be answered with; `undefined` for tokens. */
export function loginStatusOf(account: Account): LoginStatus | undefined {
  const condition = conditionOf(account);
  if (condition !== undefined) return condition;
  if (!asksForSecondFactor(account)) return undefined;
  return hasSecondFactor(account) ? LoginStatus.TwoFactorCodeRequired : LoginStatus.TwoFactorSetupRequired;
}
