import type { Problem } from '../../../ui/api/api.ts';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { ConfirmDialog } from '../../ui/confirm/confirm-dialog.tsx';
import type { Content, Member } from '../content.ts';

interface RemoveMemberDialogProps {
  content: Content;
  member: Member;
  onClose: () => void;
}

/** Removes an account's access to content, or its invitation. */
export function RemoveMemberDialog({ content, member, onClose }: RemoveMemberDialogProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const hasAccess = member.Relation === 'Access';
  const takeBack = async (): Promise<Problem | undefined> => {
    const result = await callApi('POST /admin/content-definition/{id}/remove', {
      path: { id: content.Id },
      body: { UserId: member.UserId },
    });
    if (!result.ok) return result.problem;
    toast(words(hasAccess ? 'content.revoked' : 'content.uninvited'));
    await refresh(
      'GET /admin/content-definition/{id}/member',
      'GET /admin/invitation',
      'GET /admin/user-session',
    );
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words(hasAccess ? 'content.revoke' : 'content.uninvite')}
      action={words(hasAccess ? 'content.revoke' : 'content.uninvite')}
      onConfirm={takeBack}
      onClose={onClose}
    >
      <p>
        {words(hasAccess ? 'content.revoke.effect' : 'content.uninvite.effect', {
          email: member.Email,
          name: content.Name,
        })}
      </p>
      {member.IsGuest && <p>{words('content.takeBack.guest')}</p>}
    </ConfirmDialog>
  );
}
