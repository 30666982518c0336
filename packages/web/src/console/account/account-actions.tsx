import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import type { Input } from '../api/ask.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-ask.ts';
import { ChangeDialog } from '../sessions/change-dialog.tsx';
import { useWords, type TextKey } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { Account } from './account-profile.tsx';

/** What can be done with an account; each is asked for first, in words that say what happens. */
export function AccountActions({ account }: { account: Account }) {
  const words = useWords();
  const { ask, toast } = useConsole();
  const refresh = useRefresh();
  const [asking, setAsking] = useState<Action>();
  const [isEnding, setEnding] = useState(false);
  const path = { id: account.Id };
  const run = async ({ change, operation }: Action): Promise<Problem | undefined> => {
    const result =
      operation === undefined
        ? await ask('PATCH /admin/account/{id}', { path, body: change ?? {} })
        : await ask(operation, { path });
    if (!result.ok) return result.problem;
    toast(words('account.done'));
    await refresh(
      'GET /admin/account/{id}',
      'GET /admin/account',
      'GET /admin/user-session',
      'GET /admin/audit',
    );
    return undefined;
  };
  return (
    <>
      <Menu label={words('account.actions')} labelled>
        {actionsFor(account).map((action) => (
          <MenuItem key={action.words} danger={action.isDangerous ?? false} onClick={() => setAsking(action)}>
            {words(action.words)}
          </MenuItem>
        ))}
        <MenuItem danger onClick={() => setEnding(true)}>
          {words('account.endSessions')}
        </MenuItem>
      </Menu>
      {asking && (
        <ConfirmDialog
          title={words(asking.words)}
          action={words(asking.words)}
          onConfirm={() => run(asking)}
          onClose={() => setAsking(undefined)}
        >
          <p>{words(asking.effect, { email: account.Email })}</p>
        </ConfirmDialog>
      )}
      {isEnding && <ChangeDialog target={{ UserId: account.Id }} onClose={() => setEnding(false)} />}
    </>
  );
}

interface Action {
  words: TextKey;
  effect: TextKey;
  isDangerous?: boolean;
  change?: Input<'PATCH /admin/account/{id}'>['body'] & object;
  operation?: 'POST /admin/account/{id}/reset-password' | 'DELETE /admin/account/{id}/two-factor';
}

function actionsFor({ IsDisabled, Role, TwoFactorEnabled, TwoFactorRequired }: Account): Action[] {
  const reset = 'POST /admin/account/{id}/reset-password';
  const remove = 'DELETE /admin/account/{id}/two-factor';
  return [
    { words: 'account.reset', effect: 'account.reset.effect', operation: reset },
    {
      words: TwoFactorRequired ? 'account.release2fa' : 'account.require2fa',
      effect: TwoFactorRequired ? 'account.release2fa.effect' : 'account.require2fa.effect',
      change: { TwoFactorRequired: !TwoFactorRequired },
    },
    {
      words: 'account.newPassword',
      effect: 'account.newPassword.effect',
      change: { NewPasswordRequired: true },
    },
    ...(Role === 'Guest'
      ? []
      : [
          Role === 'Admin'
            ? ({
                words: 'account.demote',
                effect: 'account.demote.effect',
                change: { Role: 'User' },
              } as const)
            : ({
                words: 'account.promote',
                effect: 'account.promote.effect',
                isDangerous: true,
                change: { Role: 'Admin' },
              } as const),
        ]),
    ...(TwoFactorEnabled
      ? [
          {
            words: 'account.remove2fa',
            effect: 'account.remove2fa.effect',
            isDangerous: true,
            operation: remove,
          } as const,
        ]
      : []),
    IsDisabled
      ? { words: 'account.enable', effect: 'account.enable.effect', change: { IsDisabled: false } }
      : {
          words: 'account.disable',
          effect: 'account.disable.effect',
          isDangerous: true,
          change: { IsDisabled: true },
        },
  ];
}
