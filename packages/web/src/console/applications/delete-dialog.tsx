import { actionDialog } from '../ui/confirm/action-dialog.tsx';
import { SHOWING_APPLICATIONS, type Application } from './application.ts';

/** Deletes an application, after its name was typed. */
export const DeleteDialog = actionDialog<{ application: Application }>(
  ({ application: { Id, Name } }, words) => ({
    title: words('applications.delete.title', { name: Name }),
    action: words('applications.delete'),
    typed: Name,
    effect: <p>{words('applications.delete.lead')}</p>,
    run: (callApi) => callApi('DELETE /admin/oauth-client/{id}', { path: { id: Id } }),
    done: words('applications.deleted'),
    next: '/console/applications',
    refreshes: SHOWING_APPLICATIONS,
  }),
);
