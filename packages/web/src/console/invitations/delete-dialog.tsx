import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import type { Invitation } from './invitation.ts';

/** Deletes an invitation, which makes its link invalid. */
export function DeleteDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const remove = async (): Promise<Problem | undefined> => {
    const result = await callApi('DELETE /admin/invitation/{id}', { path: { id: invitation.Id } });
    if (!result.ok) return result.problem;
    toast(words('invitations.deleted'));
    await refresh('GET /admin/invitation', 'GET /admin/content-definition/{id}/member');
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words('invitations.delete')}
      action={words('invitations.delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{words('invitations.delete.effect', { email: invitation.Email, name: invitation.ContentName })}</p>
    </ConfirmDialog>
  );
}
