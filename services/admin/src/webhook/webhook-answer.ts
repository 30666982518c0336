import type { Webhook } from '@gatehouse/db';
import { eventTypes } from '@gatehouse/events';
import { NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';

export const WebhookName = Type.String({
  format: 'plain-text',
  minLength: 1,
  maxLength: 100,
  pattern: /\S/.source,
  description: 'Shown to administrators',
});

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'An https address on the Internet, or one that `WEBHOOK_NETWORKS` allows',
});

const subjects = new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`));

export const WebhookTypes = Type.Array(NameOf([...eventTypes, ...subjects, '*']), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Event types; `guest.*` stands for all that begin with it, `*` for all',
});

/** A webhook in Admin's responses, without its secret. */
export const WebhookAnswer = Type.Object(
  {
    Id: Uuid(),
    Name: Type.String(),
    Url: Type.String(),
    Types: Type.Array(Type.String()),
    IsEnabled: Type.Boolean(),
    DisabledReason: Nullable(NameOf(['Gone', 'Failing']), {
      description: 'Why the hook worker has disabled it: a 410 response, or failures alone for five days',
    }),
    DisabledAt: Nullable(Timestamp()),
    FailingSince: Nullable(Timestamp(), { description: 'The first failure since the last success' }),
    FormerSecretUntil: Nullable(Timestamp(), {
      description: 'Until then, events are signed with the former secret too',
    }),
    CreatedAt: Timestamp(),
  },
  { title: 'Webhook' },
);

/** The response that contains the secret, which is shown only once. */
export const NewWebhook = Type.Object({
  ...WebhookAnswer.properties,
  Secret: Type.String({ description: 'The key of the signatures (Standard Webhooks), `whsec_…`' }),
});

/** The parameters of the path. */
export const WebhookPath = Type.Object({ id: Uuid() });

export function webhookAnswer(webhook: Webhook) {
  return {
    Id: webhook.id,
    Name: webhook.name,
    Url: webhook.url,
    Types: webhook.types,
    IsEnabled: webhook.isEnabled,
    DisabledReason: webhook.disabledReason,
    DisabledAt: webhook.disabledAt?.toISOString() ?? null,
    FailingSince: webhook.failingSince?.toISOString() ?? null,
    FormerSecretUntil: webhook.formerSecretUntil?.toISOString() ?? null,
    CreatedAt: webhook.createdAt.toISOString(),
  };
}
