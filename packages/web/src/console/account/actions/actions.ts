import type { Input } from '../../api/call-api.ts';
import type { Account } from '../account.ts';

interface Plan {
  isDangerous?: boolean;
  change?: NonNullable<Input<'PATCH /admin/account/{id}'>['body']>;
  operation?: 'POST /admin/account/{id}/reset-password' | 'DELETE /admin/account/{id}/two-factor';
}

/** The actions on an account, and their API calls; their texts are `account.<name>` and `account.<name>.effect`. */
export const ACTIONS = {
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
  disable: { change: { IsDisabled: true }, isDangerous: true },
} as const satisfies Record<string, Plan>;

export type ActionName = keyof typeof ACTIONS;

export function planOf(name: ActionName): Plan {
  return ACTIONS[name];
}

/** The actions that make sense in the account's present state. Owners remove their own second factor elsewhere. */
export function actionsFor(account: Account, isOwn: boolean): ActionName[] {
  const { ErasesAt, IsDisabled, IsService, Role, TwoFactorEnabled, TwoFactorRequired } = account;
  const all: [ActionName, boolean][] = [
    ['reset', true],
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
    ['disable', !IsDisabled],
  ];
  return all.flatMap(([name, isFit]) => (isFit ? [name] : []));
}
