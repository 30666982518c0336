import { actorOf, createWebhook } from '@gatehouse/accounts';
import { hookDeliveries } from '@gatehouse/db';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { checkedUrl } from '../check-url.ts';
import { WEBHOOKS_OFF } from '../open-webhooks.ts';
import { NewWebhook, webhookAnswer, WebhookName, WebhookTypes, WebhookUrl } from './webhook-answer.ts';

export const postWebhook = route({
  method: 'post',
  path: '/admin/webhook',
  operationId: 'createWebhook',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'From now on, events of these types are posted to the URL and signed as in Standard Webhooks. The key of the ' +
    'signatures is shown only in this response. Returns 409 if webhooks are off, or if there are ' +
    `${hookDeliveries.WEBHOOKS_MAX} already.`,
  access: ['Admin'],
  recent: true,
  body: Type.Object({ Name: WebhookName, Url: WebhookUrl, Types: WebhookTypes }),
  response: NewWebhook,
  status: 201,
  errors: ['conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const url = checkedUrl(deps.egressRules, body.Url);
    const wanted = { name: body.Name, url, types: body.Types };
    const created = await createWebhook(deps, wanted, { actor: actorOf(caller), origin: request });
    switch (created.kind) {
      case 'created':
        return { ...webhookAnswer(created.webhook), Secret: created.secret };
      case 'too_many':
        throw refuse('conflict', `There are ${hookDeliveries.WEBHOOKS_MAX} webhooks already`);
      case 'off':
        throw refuse('conflict', WEBHOOKS_OFF);
    }
  },
});
