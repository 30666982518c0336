import type { Account } from '../account/account.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import type { Item } from './item.ts';

interface RemoveAccessDialogProps {
  account: Account;
  item: Item;
  onClose: () => void;
}

/** After a confirmation, removes an account's access to content, or its invitation to it. */
export function RemoveAccessDialog({ account, item, onClose }: RemoveAccessDialogProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const isPending = item.Relation === 'Pending';
  const title = words(isPending ? 'accountContent.take.Pending' : 'accountContent.take.Access');
  const effect = isPending ? 'accountContent.take.Pending.effect' : 'accountContent.take.Access.effect';
  return (
    <ConfirmDialog
      title={title}
      action={title}
      onConfirm={async () => {
        const result = await callApi('POST /admin/content-definition/{id}/remove', {
          path: { id: item.ContentDefinitionId },
          body: { UserId: account.Id },
        });
        if (!result.ok) return result.problem;
        toast(words('accountContent.taken', { content: item.Name }));
        await refresh(
          'GET /admin/account/{id}/content',
          'GET /admin/account/{id}',
          'GET /admin/account/{id}/standing',
          'GET /admin/content-definition/{id}/member',
          'GET /admin/user-session',
          'GET /admin/invitation',
        );
        return undefined;
      }}
      onClose={onClose}
    >
      <p>{words(effect, { email: account.Email, content: item.Name })}</p>
      {account.Role === 'Guest' && <p>{words('accountContent.take.guest')}</p>}
    </ConfirmDialog>
  );
}
