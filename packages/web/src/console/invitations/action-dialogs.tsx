import type { Answer, Operation } from '../api/call-api.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';

export type Invitation = Answer<'GET /admin/invitation'>['Items'][number];

interface Props {
  invitation: Invitation;
}

const LISTS: readonly Operation[] = ['GET /admin/invitation', 'GET /admin/content-definition/{id}/member'];

/** Sends a new link, which replaces the previous one. */
export const ResendDialog = actionDialog<Props>(({ invitation: { Id, Email, ContentName } }, words) => ({
  action: words('invitations.resend'),
  kind: 'primary',
  effect: <p>{words('invitations.resend.effect', { email: Email, name: ContentName })}</p>,
  run: (callApi) => callApi('POST /admin/invitation/{id}/resend', { path: { id: Id } }),
  done: words('invitations.resent'),
  refreshes: LISTS,
}));

/** Deletes an invitation, which makes its link invalid. */
export const DeleteDialog = actionDialog<Props>(({ invitation: { Id, Email, ContentName } }, words) => ({
  action: words('invitations.delete'),
  effect: <p>{words('invitations.delete.effect', { email: Email, name: ContentName })}</p>,
  run: (callApi) => callApi('DELETE /admin/invitation/{id}', { path: { id: Id } }),
  done: words('invitations.deleted'),
  refreshes: LISTS,
}));
