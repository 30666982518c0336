import { actorOf, deleteWebhook as removeWebhook } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { WebhookPath } from './webhook-answer.ts';

export const deleteWebhook = route({
  method: 'delete',
  path: '/admin/webhook/:id',
  operationId: 'deleteWebhook',
  tag: 'Webhooks',
  summary: 'Delete a webhook with its deliveries',
  access: ['Admin'],
  recent: 'session',
  params: WebhookPath,
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const by = { actor: actorOf(caller), origin: request };
    if (!(await removeWebhook(deps, params.id, by))) throw refuse('not_found', 'Webhook not found');
    return undefined;
  },
});
