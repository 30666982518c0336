import { webhooks } from '@gatehouse/db';
import { route } from '../deps.ts';
import { webhookAnswer, WebhookAnswer, WebhookPath } from './webhook-answer.ts';

export const getWebhook = route({
  method: 'get',
  path: '/admin/webhook/:id',
  operationId: 'getWebhook',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  access: ['Admin'],
  params: WebhookPath,
  response: WebhookAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const webhook = await webhooks.findById(deps.db, params.id);
    if (webhook === undefined) throw refuse('not_found', 'Webhook not found');
    return webhookAnswer(webhook);
  },
});
