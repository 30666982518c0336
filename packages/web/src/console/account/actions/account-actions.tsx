import { LoginStatus } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import { useConsole } from '../../api/console-context.ts';
import { EraseDialog } from '../../erasure/erase-dialog.tsx';
import { useExportAccount } from '../../erasure/use-export-account.ts';
import { usePendingErasure } from '../../erasure/use-pending-erasure.ts';
import { useDialog } from '../../list/use-dialog.ts';
import { ChangeDialog } from '../../sessions/change-dialog.tsx';
import { useWords } from '../../text.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { Account } from '../account.ts';
import { ActionDialog } from './action-dialog.tsx';
import { BanDialog } from './ban-dialog.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { actionsFor, planOf, type ActionName } from './actions.ts';

/** The possible actions on an account. Each one requires a confirmation. */
export function AccountActions({ account }: { account: Account }) {
  const words = useWords();
  const isOwn = useConsole().me.Account.Id === account.Id;
  const [asking, setAsking] = useState<ActionName>();
  const [dialog, open] = useDialog();
  const exportAccount = useExportAccount(account);
  const { isOwnWish } = usePendingErasure(account);
  return (
    <>
      <Menu label={words('account.actions')} labelled>
        <MenuItem
          danger
          onClick={() => open((close) => <ChangeDialog target={{ UserId: account.Id }} onClose={close} />)}
        >
          {words('sessions.signOut')}
        </MenuItem>
        {!isOwn && account.LoginStatus !== LoginStatus.IsPendingInvitation && (
          <MenuItem onClick={() => open((close) => <EmailDialog account={account} onClose={close} />)}>
            {words('account.email')}
          </MenuItem>
        )}
        {actionsFor(account, isOwn).map((name) => (
          <MenuItem key={name} danger={planOf(name).isDangerous ?? false} onClick={() => setAsking(name)}>
            {words(`account.${name}`)}
          </MenuItem>
        ))}
        <MenuItem onClick={() => void exportAccount()}>{words('erasure.export')}</MenuItem>
        <MenuItem
          danger={!account.IsDisabled}
          onClick={() => open((close) => <BanDialog account={account} onClose={close} />)}
        >
          {words(account.IsDisabled ? 'account.ban' : 'account.disable')}
        </MenuItem>
        {(account.ErasesAt === null || isOwnWish) && (
          <MenuItem danger onClick={() => open((close) => <EraseDialog account={account} onClose={close} />)}>
            {words('erasure.erase')}
          </MenuItem>
        )}
      </Menu>
      {asking && <ActionDialog account={account} name={asking} onClose={() => setAsking(undefined)} />}
      {dialog}
    </>
  );
}
