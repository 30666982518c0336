import { loginStatusOf, SLOTS_MAX } from '@gatehouse/accounts';
import type { ApiError, Refuse } from '@gatehouse/http';
import { Group, Integers, LoginStatus, NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import type { Static } from '@gatehouse/schema';
import type { ManagedAccount } from '@gatehouse/db';

/** The roles of accounts; `Service` is only for static tokens. */
export const Role = NameOf(['User', 'Guest', 'Admin']);

/** The roles of new accounts: guests are created only by invitations. */
export const NewRole = NameOf(['User', 'Admin']);

export const AccountAnswer = Type.Object(
  {
    Id: Uuid(),
    Email: Type.String(),
    DisplayName: Nullable(Type.String()),
    Locale: Type.String(),
    Role,
    IsService: Type.Boolean({ description: 'Whether the account is used by a program, not a person' }),
    LoginStatus: Type.Optional(Integers(LoginStatus, 'LoginStatus')),
    IsDisabled: Type.Boolean(),
    DisabledUntil: Nullable(Timestamp(), {
      description:
        'When it is enabled by itself; null if it is not disabled, or only an administrator enables it',
    }),
    DisabledReason: Nullable(Type.String()),
    TellReason: Type.Boolean({ description: 'Whether the login tells the owner both' }),
    ExpiresAt: Nullable(Timestamp(), {
      description: 'When the account expires or expired; null if it never does',
    }),
    TwoFactorEnabled: Type.Boolean(),
    TwoFactorRequired: Type.Boolean(),
    HasPassword: Type.Boolean(),
    HasPasskey: Type.Boolean(),
    NewPasswordRequired: Type.Boolean(),
    SessionLimit: SessionLimit(),
    Groups: Type.Array(Group(), {
      description: 'Labels that decide which applications the account may sign in to',
    }),
    GroupSources: Type.Array(
      Type.Object({ Label: Group(), Source: Type.String() }, { title: 'GroupSource' }),
      { description: 'Who says each: `Administrator`, or the ID of an identity provider' },
    ),
    ErasesAt: Nullable(Timestamp(), {
      description: 'When the account will be erased (`GET /admin/erasure`); null if no erasure is pending',
    }),
    CreatedAt: Timestamp(),
    LastLoginAt: Nullable(Timestamp()),
  },
  { title: 'Account' },
);

export function SessionLimit() {
  return Nullable(Type.Integer({ minimum: 1, maximum: SLOTS_MAX }), {
    description:
      'How many sessions of each tag the account may have, as an exception to `SESSION_SLOTS`; null if there is none',
  });
}

/** Which changes of an account require a fresh proof of identity, after "the account". */
export const NEEDS_PROOF =
  'is or becomes an administrator’s, gets another role or kind or a new group, or loses a restriction: it is enabled, or so earlier, expires ' +
  'later, or no longer requires a second factor or a new password';

/** `LoginStatus` is that of the next login; absent if the login would succeed. */
export function accountAnswer(account: ManagedAccount): Static<typeof AccountAnswer> {
  const loginStatus = loginStatusOf(account);
  return {
    Id: account.id,
    Email: account.email,
    DisplayName: account.displayName,
    Locale: account.locale,
    Role: account.role,
    IsService: account.isService,
    ...(loginStatus !== undefined && { LoginStatus: loginStatus }),
    IsDisabled: account.isDisabled,
    DisabledUntil: account.disabledUntil?.toISOString() ?? null,
    DisabledReason: account.disabledReason,
    TellReason: account.tellsReason,
    ExpiresAt: account.expiresAt?.toISOString() ?? null,
    TwoFactorEnabled: account.isTwoFactorEnabled,
    TwoFactorRequired: account.isTwoFactorRequired,
    HasPassword: account.passwordScheme !== null,
    HasPasskey: account.hasPasskey,
    NewPasswordRequired: account.isNewPasswordRequired,
    SessionLimit: account.sessionLimit,
    Groups: account.groups,
    GroupSources: account.groupSources.map(({ label, source }) => ({ Label: label, Source: source })),
    ErasesAt: account.erasesAt?.toISOString() ?? null,
    CreatedAt: account.createdAt.toISOString(),
    LastLoginAt: account.lastLoginAt?.toISOString() ?? null,
  };
}

export function unknownAccount(refuse: Refuse<'not_found'>): ApiError {
  return refuse('not_found', 'Account not found');
}
