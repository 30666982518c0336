import { actorOf, testWebhook as sendTest } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { WebhookPath } from './webhook-answer.ts';

export const testWebhook = route({
  method: 'post',
  path: '/admin/webhook/:id/test',
  operationId: 'testWebhook',
  tag: 'Webhooks',
  summary: 'Send a test event to a webhook',
  description:
    'Sends the event `webhook.test-requested` in the same way as every event, whatever types the webhook has. ' +
    '`GET /admin/hook-delivery?eventId=…` shows its delivery when the hook worker has recorded it.',
  access: ['Admin'],
  recent: { never: 'it sends a fixed event' },
  params: WebhookPath,
  response: Type.Object({ EventId: Uuid() }),
  status: 202,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const sent = await sendTest(deps, params.id, { actor: actorOf(caller), origin: request });
    switch (sent.kind) {
      case 'queued':
        return { EventId: sent.eventId };
      case 'unknown':
        throw refuse('not_found', 'Webhook not found');
      case 'disabled':
        throw refuse('conflict', 'The webhook is disabled');
    }
  },
});
