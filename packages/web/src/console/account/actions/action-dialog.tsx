import type { Problem } from '../../../ui/api/api.ts';
import { useConsole } from '../../api/console-context.ts';
import { useWords } from '../../text.ts';
import { ConfirmDialog } from '../../ui/confirm/confirm-dialog.tsx';
import type { Account } from '../account.ts';
import { planOf, type ActionName } from './actions.ts';
import { useRefreshAccount } from '../use-refresh-account.ts';

interface ActionDialogProps {
  account: Account;
  name: ActionName;
  onClose: () => void;
}

/** Explains the effect of an action on an account, and executes it after a confirmation. */
export function ActionDialog({ account, name, onClose }: ActionDialogProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefreshAccount();
  const path = { id: account.Id };
  const run = async (): Promise<Problem | undefined> => {
    const { operation, change = {} } = planOf(name);
    const result =
      operation === undefined
        ? await callApi('PATCH /admin/account/{id}', { path, body: change })
        : await callApi(operation, { path });
    if (!result.ok) return result.problem;
    toast(words('account.done'));
    await refresh();
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words(`account.${name}`)}
      action={words(`account.${name}`)}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{words(`account.${name}.effect`, { email: account.Email })}</p>
    </ConfirmDialog>
  );
}
