import type { Account } from '../account/account.ts';
import type { Answer } from '../api/call-api.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';

export type Identity = Answer<'GET /admin/account/{id}/identity'>['Items'][number];

interface UnlinkDialogProps {
  account: Account;
  identity: Identity;
}

/** Unlinks a provider's identity from an account, after a confirmation. */
export const UnlinkDialog = actionDialog<UnlinkDialogProps>(({ account: { Id, Email }, identity }, words) => {
  const { Provider, Issuer } = identity;
  return {
    title: words('methods.unlink.title'),
    action: words('methods.unlink'),
    effect: <p>{words('methods.unlink.effect', { provider: Provider ?? Issuer, email: Email })}</p>,
    run: (callApi) =>
      callApi('DELETE /admin/account/{id}/identity/{number}', {
        path: { id: Id, number: String(identity.Number) },
      }),
    done: words('methods.unlinked'),
    refreshes: ['GET /admin/account/{id}/identity', 'GET /admin/user-session'],
  };
});
