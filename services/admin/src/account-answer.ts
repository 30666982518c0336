import { loginStatusOf, SLOTS_MAX } from '@gatehouse/accounts';
import type { ApiError, Refuse } from '@gatehouse/http';
import { Field, record, time, timeOrNull } from '@gatehouse/kit';
import { Group, Integers, LoginStatus, NameOf, Nullable, Type, Uuid } from '@gatehouse/schema';
import type { Static } from '@gatehouse/schema';
import type { ManagedAccount } from '@gatehouse/db';

/** The roles of accounts; `Service` is only for static tokens. */
export const Role = NameOf(['User', 'Guest', 'Admin']);

/** The roles of new accounts: guests are created only by invitations. */
export const NewRole = NameOf(['User', 'Admin']);

/** `LoginStatus` is that of the next login; absent if the login would succeed. */
const NextStatus = Type.Optional(Integers(LoginStatus, 'LoginStatus'));

const Account = record(
  'account',
  {
    id: Uuid(),
    email: Type.String(),
    displayName: Nullable(Type.String()),
    locale: Type.String(),
    role: Role,
    isService: Type.Boolean({ description: 'Whether the account is used by a program, not a person' }),
    loginStatus: new Field<typeof NextStatus, LoginStatus | undefined>(NextStatus),
    isDisabled: Type.Boolean(),
    disabledUntil: timeOrNull({
      description:
        'When it is enabled by itself; null if it is not disabled, or only an administrator enables it',
    }),
    disabledReason: Nullable(Type.String()),
    tellReason: Type.Boolean({ description: 'Whether the login tells the owner both' }),
    expiresAt: timeOrNull({ description: 'When the account expires or expired; null if it never does' }),
    twoFactorEnabled: Type.Boolean(),
    twoFactorRequired: Type.Boolean(),
    hasPassword: Type.Boolean(),
    hasPasskey: Type.Boolean(),
    newPasswordRequired: Type.Boolean(),
    sessionLimit: SessionLimit(),
    groups: Type.Array(Group(), {
      description: 'Labels that decide which applications the account may sign in to',
    }),
    groupSources: Type.Array(
      Type.Object({ Label: Group(), Source: Type.String() }, { title: 'GroupSource' }),
      { description: 'Who says each: `Administrator`, or the ID of an identity provider' },
    ),
    erasesAt: timeOrNull({
      description: 'When the account will be erased (`GET /admin/erasure`); null if no erasure is pending',
    }),
    createdAt: time(),
    lastLoginAt: timeOrNull(),
  },
  { name: 'Account' },
);
export const AccountAnswer = Account.Answer;

export function accountAnswer(account: ManagedAccount): Static<typeof AccountAnswer> {
  return Account.answer({
    ...account,
    loginStatus: loginStatusOf(account),
    tellReason: account.tellsReason,
    twoFactorEnabled: account.isTwoFactorEnabled,
    twoFactorRequired: account.isTwoFactorRequired,
    hasPassword: account.passwordScheme !== null,
    newPasswordRequired: account.isNewPasswordRequired,
    groupSources: account.groupSources.map(({ label, source }) => ({ Label: label, Source: source })),
  });
}

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

export function unknownAccount(refuse: Refuse<'not_found'>): ApiError {
  return refuse('not_found', 'Account not found');
}
