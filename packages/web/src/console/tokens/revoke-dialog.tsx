import { actionDialog } from '../ui/confirm/action-dialog.tsx';
import type { ApiToken } from './token-state.tsx';

/** Revokes an API token, after a confirmation. */
export const RevokeDialog = actionDialog<{ token: ApiToken }>(({ token: { Id, Name } }, words) => ({
  title: words('tokens.revoke.title', { name: Name }),
  action: words('tokens.revoke'),
  effect: <p>{words('tokens.revoke.lead')}</p>,
  run: (callApi) => callApi('DELETE /admin/api-token/{id}', { path: { id: Id } }),
  done: words('tokens.revoked'),
  refreshes: ['GET /admin/api-token', 'GET /admin/api-token/{id}'],
}));
