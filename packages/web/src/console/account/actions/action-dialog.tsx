import { actionDialog } from '../../ui/confirm/action-dialog.tsx';
import { SHOWING_ACCOUNTS, type Account } from '../account.ts';
import { planOf, type ActionName } from './actions.ts';

interface ActionDialogProps {
  account: Account;
  name: ActionName;
}

/** Explains the effect of an action on an account, and executes it after a confirmation. */
export const ActionDialog = actionDialog<ActionDialogProps>(({ account: { Id, Email }, name }, words) => ({
  action: words(`account.${name}`),
  effect: <p>{words(`account.${name}.effect`, { email: Email })}</p>,
  run: (callApi) => {
    const { operation, change = {} } = planOf(name);
    const path = { id: Id };
    return operation === undefined
      ? callApi('PATCH /admin/account/{id}', { path, body: change })
      : callApi(operation, { path });
  },
  done: words('account.done'),
  refreshes: SHOWING_ACCOUNTS,
}));
