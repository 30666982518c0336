import type { Account } from '../account/account.ts';
import type { Answer } from '../api/call-api.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';

/** A piece of content, and its relation to the account: owner, access or pending invitation. */
export type Item = Answer<'GET /admin/account/{id}/content'>['Items'][number];

interface RemoveAccessDialogProps {
  account: Account;
  item: Item;
}

/** After a confirmation, removes an account's access to content, or its invitation to it. */
export const RemoveAccessDialog = actionDialog<RemoveAccessDialogProps>(({ account, item }, words) => {
  const { ContentDefinitionId: id, Name: content } = item;
  const action = item.Relation === 'Pending' ? 'accountContent.take.Pending' : 'accountContent.take.Access';
  return {
    action: words(action),
    effect: (
      <>
        <p>{words(`${action}.effect`, { email: account.Email, content })}</p>
        {account.Role === 'Guest' && <p>{words('accountContent.take.guest')}</p>}
      </>
    ),
    run: (callApi) =>
      callApi('POST /admin/content-definition/{id}/remove', { path: { id }, body: { UserId: account.Id } }),
    done: words('accountContent.taken', { content }),
    refreshes: [
      'GET /admin/account/{id}/content',
      'GET /admin/account/{id}',
      'GET /admin/account/{id}/standing',
      'GET /admin/content-definition/{id}/member',
      'GET /admin/user-session',
      'GET /admin/invitation',
    ],
  };
});
