import { actionDialog } from '../../ui/confirm/action-dialog.tsx';
import type { Content, Member } from '../content.ts';

interface RemoveMemberDialogProps {
  content: Content;
  member: Member;
}

/** Removes an account's access to content, or its invitation. */
export const RemoveMemberDialog = actionDialog<RemoveMemberDialogProps>(({ content, member }, words) => {
  const { UserId, Email, IsGuest, Relation } = member;
  const hasAccess = Relation === 'Access';
  const effect = hasAccess ? 'content.revoke.effect' : 'content.uninvite.effect';
  return {
    action: words(hasAccess ? 'content.revoke' : 'content.uninvite'),
    effect: (
      <>
        <p>{words(effect, { email: Email, name: content.Name })}</p>
        {IsGuest && <p>{words('content.takeBack.guest')}</p>}
      </>
    ),
    run: (callApi) =>
      callApi('POST /admin/content-definition/{id}/remove', { path: { id: content.Id }, body: { UserId } }),
    done: words(hasAccess ? 'content.revoked' : 'content.uninvited'),
    refreshes: [
      'GET /admin/content-definition/{id}/member',
      'GET /admin/invitation',
      'GET /admin/user-session',
    ],
  };
});
