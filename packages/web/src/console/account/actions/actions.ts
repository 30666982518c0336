import type { Input } from '../../api/call-api.ts';
import type { Account } from '../account.ts';

interface Plan {
  isDangerous?: boolean;
  change?: NonNullable<Input<'PATCH /admin/account/{id}'>['body']>;
  operation?: 'POST /admin/account/{id}/reset-password' | 'DELETE /admin/account/{id}/two-factor';
}

/** What can be done with an account, and how; `account.<name>` and `account.<name>.effect` are its words. */
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

/** What makes sense for an account as it is. */
export function actionsFor(account: Account): ActionName[] {
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
    ['remove2fa', TwoFactorEnabled],
    // One that is to be erased is enabled by taking that back.
    ['enable', IsDisabled && ErasesAt === null],
    ['disable', !IsDisabled],
  ];
  return all.flatMap(([name, isFit]) => (isFit ? [name] : []));
}
