import { useState } from 'preact/hooks';
import { ChangeDialog } from '../sessions/change-dialog.tsx';
import { useWords } from '../text.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import type { Account } from './account.ts';
import { ActionDialog } from './action-dialog.tsx';
import { actionsFor, planOf, type ActionName } from './actions.ts';

/** What can be done with an account; each is asked for first. */
export function AccountActions({ account }: { account: Account }) {
  const words = useWords();
  const [asking, setAsking] = useState<ActionName>();
  const [isEnding, setEnding] = useState(false);
  return (
    <>
      <Menu label={words('account.actions')} labelled>
        {actionsFor(account).map((name) => (
          <MenuItem key={name} danger={planOf(name).isDangerous ?? false} onClick={() => setAsking(name)}>
            {words(`account.${name}`)}
          </MenuItem>
        ))}
        <MenuItem danger onClick={() => setEnding(true)}>
          {words('account.endSessions')}
        </MenuItem>
      </Menu>
      {asking && <ActionDialog account={account} name={asking} onClose={() => setAsking(undefined)} />}
      {isEnding && <ChangeDialog target={{ UserId: account.Id }} onClose={() => setEnding(false)} />}
    </>
  );
}
