import type { Answer } from '../api/call-api.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';
import { SHOWING_APPLICATIONS, type Application } from './application.ts';

export type SignedIn = Answer<'GET /admin/oauth-client/{id}/session'>['Items'][number];

/** Signs somebody out of an application, after a confirmation. */
export const SignOutDialog = actionDialog<{ application: Application; session: SignedIn }>(
  ({ application, session }, words) => ({
    title: words('applications.signOut.title', { email: session.Email }),
    action: words('applications.signOut'),
    effect: <p>{words('applications.signOut.lead', { name: application.Name })}</p>,
    run: (callApi) =>
      callApi('DELETE /admin/oauth-client/{id}/session/{sessionId}', {
        path: { id: application.Id, sessionId: session.Id },
      }),
    done: words('applications.signedOut'),
    refreshes: SHOWING_APPLICATIONS,
  }),
);
