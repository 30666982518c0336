import type { Account } from '../account/account.ts';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';

export type Identity = Answer<'GET /admin/account/{id}/identity'>['Items'][number];

interface UnlinkDialogProps {
  account: Account;
  identity: Identity;
  onClose: () => void;
}

/** Unlinks a provider's identity from an account, after a confirmation. */
export function UnlinkDialog({ account, identity, onClose }: UnlinkDialogProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  return (
    <ConfirmDialog
      title={words('methods.unlink.title')}
      action={words('methods.unlink')}
      onConfirm={async () => {
        const result = await callApi('DELETE /admin/account/{id}/identity/{number}', {
          path: { id: account.Id, number: String(identity.Number) },
        });
        if (!result.ok) return result.problem;
        toast(words('methods.unlinked'));
        await refresh('GET /admin/account/{id}/identity', 'GET /admin/user-session');
        return undefined;
      }}
      onClose={onClose}
    >
      <p>
        {words('methods.unlink.effect', {
          provider: identity.Provider ?? identity.Issuer,
          email: account.Email,
        })}
      </p>
    </ConfirmDialog>
  );
}
