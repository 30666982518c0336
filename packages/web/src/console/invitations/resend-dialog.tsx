import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import type { Invitation } from './invitation.ts';

/** Sends a new link, which replaces the previous one. */
export function ResendDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const resend = async (): Promise<Problem | undefined> => {
    const result = await callApi('POST /admin/invitation/{id}/resend', { path: { id: invitation.Id } });
    if (!result.ok) return result.problem;
    toast(words('invitations.resent'));
    await refresh('GET /admin/invitation', 'GET /admin/content-definition/{id}/member');
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words('invitations.resend')}
      action={words('invitations.resend')}
      kind="primary"
      onConfirm={resend}
      onClose={onClose}
    >
      <p>{words('invitations.resend.effect', { email: invitation.Email, name: invitation.ContentName })}</p>
    </ConfirmDialog>
  );
}
