import { actorOf, changeWebhook } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { checkedUrl } from '../check-url.ts';
import {
  webhookAnswer,
  WebhookAnswer,
  WebhookName,
  WebhookPath,
  WebhookTypes,
  WebhookUrl,
} from './webhook-answer.ts';

export const patchWebhook = route({
  method: 'patch',
  path: '/admin/webhook/:id',
  operationId: 'changeWebhook',
  tag: 'Webhooks',
  summary: 'Change, disable or enable a webhook',
  description:
    'A disabled webhook gets no events, and its waiting deliveries are parked. Events from the time when it was ' +
    'disabled are not sent later; parked deliveries can be retried once it is enabled.',
  access: ['Admin'],
  recent: true,
  params: WebhookPath,
  body: Type.Object({
    Name: Type.Optional(WebhookName),
    Url: Type.Optional(WebhookUrl),
    Types: Type.Optional(WebhookTypes),
    IsEnabled: Type.Optional(Type.Boolean()),
  }),
  response: WebhookAnswer,
  errors: ['not_found'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const url = body.Url === undefined ? undefined : checkedUrl(deps.egressRules, body.Url);
    const changes = { name: body.Name, url, types: body.Types, isEnabled: body.IsEnabled };
    const webhook = await changeWebhook(deps, params.id, changes, {
      actor: actorOf(caller),
      origin: request,
    });
    if (webhook === undefined) throw refuse('not_found', 'Webhook not found');
    return webhookAnswer(webhook);
  },
});
