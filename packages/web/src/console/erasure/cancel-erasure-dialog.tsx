import { SHOWING_ERASURES } from '../account/account.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';

/** Takes back the erasure of an account, after a confirmation. */
export const CancelErasureDialog = actionDialog<{ accountId: string }>(({ accountId }, words) => ({
  action: words('erasure.takeBack'),
  kind: 'primary',
  effect: <p>{words('erasure.takeBack.effect')}</p>,
  run: (callApi) => callApi('POST /admin/account/{id}/restore', { path: { id: accountId } }),
  done: words('erasure.takenBack'),
  refreshes: SHOWING_ERASURES,
}));
