import {
  accountAdmin,
  accountHistory,
  invitationAdmin,
  loginThrottle,
  passkeys,
  recoveryCodes,
  type ManagedAccount,
} from '@gatehouse/db';
import { CONDITION_CODES, type LoginStatus } from '@gatehouse/schema';
import type { AccountsDeps } from '../../deps.ts';
import { loginStatusOf } from '../../checks/login-status.ts';
import { throttleKeysOf } from './account-throttle-keys.ts';

/** The reasons that can prevent a login with the correct password. */
export const STANDING_CODES = ['two_factor_setup_required', ...Object.values(CONDITION_CODES)] as const;
export type StandingCode = (typeof STANDING_CODES)[number];

/** Why an account's owner cannot log in, or cannot without a further step. */
export interface StandingReason {
  code: StandingCode;
  /** `null` if that is no longer known. */
  since: Date | null;
  /** The account or static token that caused it; `null` if it was the owner or the installation, or is unknown. */
  by: string | null;
}

/** What an account's next login will meet. */
export interface AccountStanding extends loginThrottle.ThrottleStanding {
  loginStatus: LoginStatus | undefined;
  /** All reasons that apply, in the order in which a login checks them. */
  reasons: StandingReason[];
  recoveryCodesLeft: number;
  /** The number of passkeys. */
  passkeys: number;
  passwordScheme: ManagedAccount['passwordScheme'];
}

/** Explains why an owner cannot log in, and reports recent failures; `undefined` for an unknown account. */
export async function findStanding(
  { db }: Pick<AccountsDeps, 'db'>,
  accountId: string,
): Promise<AccountStanding | undefined> {
  const account = await accountAdmin.find(db, accountId);
  if (account === undefined) return undefined;
  const [throttle, recoveryCodesLeft, passkeyCount, changes, invitation] = await Promise.all([
    loginThrottle.findStanding(db, throttleKeysOf(account)),
    recoveryCodes.countLeft(db, accountId),
    passkeys.count(db, accountId),
    accountHistory.findFieldChanges(db, accountId, FIELDS),
    account.signup === 'invitation' ? invitationAdmin.findNewestPendingOf(db, accountId) : undefined,
  ]);
  const changesByField = new Map(changes.map((change) => [change.field, change]));
  return {
    ...throttle,
    loginStatus: loginStatusOf(account),
    reasons: reasonsOf(account, changesByField, invitation),
    recoveryCodesLeft,
    passkeys: passkeyCount,
    passwordScheme: account.passwordScheme,
  };
}

/** The fields of audit entries from which the reasons are read; `LoginStatus` is that of a new account. */
const FIELDS = ['IsDisabled', 'ExpiresAt', 'NewPasswordRequired', 'TwoFactorRequired', 'LoginStatus'];

type ChangesByField = ReadonlyMap<string, accountHistory.FieldChange>;

function reasonsOf(
  account: ManagedAccount,
  changesByField: ChangesByField,
  invitation: { invitedAt: Date; invitedBy: string | null } | undefined,
): StandingReason[] {
  const { isDisabled, isExpired, signup, isEmailVerified, createdAt } = account;
  const created = { since: createdAt, by: changesByField.get('LoginStatus')?.by ?? null };
  const invited = { since: invitation?.invitedAt ?? createdAt, by: invitation?.invitedBy ?? null };
  const setTo = (field: string, value: unknown) => {
    const change = changesByField.get(field);
    const isKnown = change !== undefined && change.value === value;
    return isKnown ? { since: change.at, by: change.by } : { since: null, by: null };
  };
  const expiry = account.expiresAt?.toISOString();
  const { isTwoFactorRequired, isTwoFactorEnabled, hasPasskey } = account;
  const needsSetup = isTwoFactorRequired && !isTwoFactorEnabled && !hasPasskey;
  const all: [boolean, StandingCode, Omit<StandingReason, 'code'>][] = [
    [isDisabled, 'account_disabled', setTo('IsDisabled', true)],
    [isExpired, 'account_expired', { since: account.expiresAt, by: setTo('ExpiresAt', expiry).by }],
    [signup === 'new', 'signup_pending', created],
    [signup === 'migration', 'migration_pending', created],
    [signup === 'invitation', 'invitation_pending', invited],
    [signup === 'complete' && !isEmailVerified, 'email_confirmation_pending', { ...created, by: null }],
    [account.isNewPasswordRequired, 'new_password_required', setTo('NewPasswordRequired', true)],
    [needsSetup, 'two_factor_setup_required', setTo('TwoFactorRequired', true)],
  ];
  return all.flatMap(([holds, code, facts]) => (holds ? [{ code, ...facts }] : []));
}
