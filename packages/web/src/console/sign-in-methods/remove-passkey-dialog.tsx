import type { Account } from '../account/account.ts';
import { useRefreshAccount } from '../account/use-refresh-account.ts';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';

export type Passkey = Answer<'GET /admin/account/{id}/passkey'>['Items'][number];

interface RemovePasskeyDialogProps {
  account: Account;
  passkey: Passkey;
  onClose: () => void;
}

/** Removes a passkey from an account, for example a lost one, after a confirmation. */
export function RemovePasskeyDialog({ account, passkey, onClose }: RemovePasskeyDialogProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const refreshAccount = useRefreshAccount();
  return (
    <ConfirmDialog
      title={words('methods.passkey.remove.title')}
      action={words('methods.passkey.remove')}
      onConfirm={async () => {
        const result = await callApi('DELETE /admin/account/{id}/passkey/{passkeyId}', {
          path: { id: account.Id, passkeyId: passkey.Id },
        });
        if (!result.ok) return result.problem;
        toast(words('methods.passkey.removed'));
        await Promise.all([refresh('GET /admin/account/{id}/passkey'), refreshAccount()]);
        return undefined;
      }}
      onClose={onClose}
    >
      <p>{words('methods.passkey.remove.effect', { name: passkey.Name, email: account.Email })}</p>
    </ConfirmDialog>
  );
}
