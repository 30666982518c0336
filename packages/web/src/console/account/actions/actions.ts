import type { Input } from '../../api/call-api.ts';
import { LoginStatus } from 'gatehouse-client';
import type { Account } from '../account.ts';

interface Plan {
  isDangerous?: boolean;
  change?: NonNullable<Input<'PATCH /admin/account/{id}'>['body']>;
  operation?:
    | 'POST /admin/account/{id}/reset-password'
    | 'POST /admin/account/{id}/invite'
    | 'DELETE /admin/account/{id}/two-factor';
}

/** The actions on an account, and their API calls; their texts are `account.<name>` and `account.<name>.effect`. */
export const ACTIONS = {
  invite: { operation: 'POST /admin/account/{id}/invite' },
  reset: { operation: 'POST /admin/account/{id}/reset-password' },
  require2fa: { change: { TwoFactorRequired: true } },
  release2fa: { change: { TwoFactorRequired: false } },
  newPassword: { change: { NewPasswordRequired: true } },
  promote: { change: { Role: 'Admin' }, isDangerous: true },
  demote: { change: { Role: 'User' } },
  remove2fa: { operation: 'DELETE /admin/account/{id}/two-factor', isDangerous: true },
  makeService: { change: { IsService: true }, isDangerous: true },
  makePerson: { change: { IsService: false }, isDangerous: true },
  enable: { change: { IsDisabled: false } },
} as const satisfies Record<string, Plan>;

export type ActionName = keyof typeof ACTIONS;

export function planOf(name: ActionName): Plan {
  return ACTIONS[name];
}

/** The actions that make sense in the account's present state. Owners remove their own second factor elsewhere. */
export function actionsFor(account: Account, isOwn: boolean): ActionName[] {
  const {
    ErasesAt,
    IsDisabled,
    IsService,
    LoginStatus: status,
    Role,
    TwoFactorEnabled,
    TwoFactorRequired,
  } = account;
  const isWaiting = WAITING.includes(status);
  const all: [ActionName, boolean][] = [
    ['invite', isWaiting],
    ['reset', !isWaiting && !OBSTACLES.includes(status)],
    ['release2fa', TwoFactorRequired],
    ['require2fa', !TwoFactorRequired && !IsService],
    ['newPassword', true],
    ['demote', Role === 'Admin'],
    ['promote', Role === 'User' && !IsService],
    ['makeService', Role === 'User' && !IsService && !TwoFactorRequired],
    ['makePerson', IsService],
    ['remove2fa', TwoFactorEnabled && !isOwn],
    // An account with a pending erasure is enabled by cancelling the erasure.
    ['enable', IsDisabled && ErasesAt === null],
  ];
  return all.flatMap(([name, isFit]) => (isFit ? [name] : []));
}

/** Whether its owner can log in now, and so confirm something. */
export function canLogIn({ LoginStatus: status }: Account): boolean {
  return status === undefined || ABLE.includes(status);
}

const ABLE: readonly Account['LoginStatus'][] = [
  LoginStatus.TwoFactorSetupRequired,
  LoginStatus.TwoFactorCodeRequired,
];

/** The account waits for its owner, who is mailed a link instead of a code. */
const WAITING: readonly Account['LoginStatus'][] = [
  LoginStatus.IsPendingNewAccountSignup,
  LoginStatus.IsPendingAccountMigrationSignup,
];

/** A new password would not open the account. */
const OBSTACLES: readonly Account['LoginStatus'][] = [
  LoginStatus.IsDisabled,
  LoginStatus.IsExpired,
  LoginStatus.IsPendingInvitation,
];
