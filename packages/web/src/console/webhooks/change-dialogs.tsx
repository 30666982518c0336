import { actionDialog } from '../ui/confirm/action-dialog.tsx';
import { SHOWING_WEBHOOKS, type Webhook } from './webhook.ts';

/** Disables a webhook, or enables it again, after a confirmation. */
export const SwitchDialog = actionDialog<{ webhook: Webhook }>(({ webhook: { Id, IsEnabled } }, words) => ({
  title: words(IsEnabled ? 'webhooks.disable.title' : 'webhooks.enable.title'),
  action: words(IsEnabled ? 'webhooks.disable' : 'webhooks.enable'),
  kind: 'primary',
  effect: <p>{words(IsEnabled ? 'webhooks.disable.lead' : 'webhooks.enable.lead')}</p>,
  run: (callApi) =>
    callApi('PATCH /admin/webhook/{id}', { path: { id: Id }, body: { IsEnabled: !IsEnabled } }),
  done: words('webhooks.changed'),
  refreshes: SHOWING_WEBHOOKS,
}));

/** Deletes a webhook with its deliveries, after its name was typed. */
export const DeleteDialog = actionDialog<{ webhook: Webhook }>(({ webhook: { Id, Name } }, words) => ({
  title: words('webhooks.delete.title', { name: Name }),
  action: words('webhooks.delete'),
  typed: Name,
  effect: <p>{words('webhooks.delete.lead')}</p>,
  run: (callApi) => callApi('DELETE /admin/webhook/{id}', { path: { id: Id } }),
  done: words('webhooks.deleted'),
  next: '/console/webhooks',
  refreshes: SHOWING_WEBHOOKS,
}));
