import { SHOWING_ACCOUNTS, type Account } from '../account/account.ts';
import type { Answer } from '../api/call-api.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';

export type Passkey = Answer<'GET /admin/account/{id}/passkey'>['Items'][number];

interface RemovePasskeyDialogProps {
  account: Account;
  passkey: Passkey;
}

/** Removes a passkey from an account, for example a lost one, after a confirmation. */
export const RemovePasskeyDialog = actionDialog<RemovePasskeyDialogProps>(({ account, passkey }, words) => ({
  title: words('methods.passkey.remove.title'),
  action: words('methods.passkey.remove'),
  effect: <p>{words('methods.passkey.remove.effect', { name: passkey.Name, email: account.Email })}</p>,
  run: (callApi) =>
    callApi('DELETE /admin/account/{id}/passkey/{passkeyId}', {
      path: { id: account.Id, passkeyId: passkey.Id },
    }),
  done: words('methods.passkey.removed'),
  refreshes: ['GET /admin/account/{id}/passkey', ...SHOWING_ACCOUNTS],
}));
