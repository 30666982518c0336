import { actorOf, rotateWebhook as rotate } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { WEBHOOKS_OFF } from '../open-webhooks.ts';
import { NewWebhook, webhookAnswer, WebhookPath } from './webhook-answer.ts';

export const rotateWebhook = route({
  method: 'post',
  path: '/admin/webhook/:id/rotate',
  operationId: 'rotateWebhook',
  tag: 'Webhooks',
  summary: 'Give a webhook another secret',
  description:
    'The secret is shown only in this response. For 24 hours, events are signed with the former secret too.',
  access: ['Admin'],
  recent: true,
  params: WebhookPath,
  response: NewWebhook,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const rotated = await rotate(deps, params.id, { actor: actorOf(caller), origin: request });
    switch (rotated.kind) {
      case 'created':
        return { ...webhookAnswer(rotated.webhook), Secret: rotated.secret };
      case 'unknown':
        throw refuse('not_found', 'Webhook not found');
      case 'off':
        throw refuse('conflict', WEBHOOKS_OFF);
    }
  },
});
