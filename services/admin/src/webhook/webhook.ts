import { randomBytes } from 'node:crypto';
import { administrators, hookDeliveries, query, type Db } from '@gatehouse/db';
import { eventTypes, newEvent, newMailEvent } from '@gatehouse/events';
import type { Refuse } from '@gatehouse/http';
import { by, pascal, record, sql, time, timeOrNull } from '@gatehouse/kit';
import { NameOf, Nullable, Optional, Type, Uuid } from '@gatehouse/schema';
import { write, type AccountsDeps } from '@gatehouse/accounts';
import { changes, creates, list, one, removes, routes, type Deps } from '../deps.ts';
import { checkedUrl, WEBHOOKS_OFF } from '../open-webhooks.ts';

const { WEBHOOKS_MAX } = hookDeliveries;
/** For this time after a rotation, deliveries are signed with both secrets. */
const OVERLAP_SECONDS = 24 * 3600;

const Webhook = record(
  'webhook',
  {
    id: Uuid(),
    name: Type.String(),
    url: Type.String(),
    types: Type.Array(Type.String()),
    isEnabled: Type.Boolean(),
    disabledReason: Nullable(NameOf(['Gone', 'Failing']), {
      description: 'Why the hook worker has disabled it: a 410 response, or failures alone for five days',
    }),
    disabledAt: timeOrNull(),
    failingSince: timeOrNull({ description: 'The first failure since the last success' }),
    formerSecretUntil: timeOrNull(
      { description: 'Until then, events are signed with the former secret too' },
      'case when former_secret_until > now() then former_secret_until end',
    ),
    createdAt: time(),
  },
  { name: 'Webhook', hidden: ['secret', 'formerSecret'] },
);

const Name = Type.String({
  format: 'plain-text',
  minLength: 1,
  maxLength: 100,
  pattern: /\S/.source,
  description: 'Shown to administrators',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'An https address on the Internet, or one that `WEBHOOK_NETWORKS` allows',
});
const subjects = new Set(eventTypes.map((type) => `${type.slice(0, type.indexOf('.'))}.*`));
const Types = Type.Array(NameOf([...eventTypes, ...subjects, '*']), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Event types; `guest.*` stands for all that begin with it, `*` for all',
});
/** Only the answer to a creation or rotation contains it. */
const Secret = Type.String({ description: 'The key of the signatures (Standard Webhooks), `whsec_…`' });

export const webhookRoutes = routes({ tag: 'Webhooks', access: ['Admin'] }, [
  list(Webhook, 'GET /admin/webhook', { filters: { isEnabled: by(Type.Boolean()) } }),

  one(Webhook, 'GET /admin/webhook/:id'),

  creates(Webhook, 'POST /admin/webhook', {
    description:
      'From now on, events of these types are posted to the URL and signed as in Standard Webhooks. The key of the ' +
      'signatures is shown only in this response. Returns 409 if webhooks are off, or if there are ' +
      `${WEBHOOKS_MAX} already.`,
    recent: true,
    body: { Name, Url, Types },
    also: { Secret },
    errors: ['conflict'],
    run: async ({ tx, deps, id, body, refuse }) => {
      const url = checkedUrl(deps.egressRules, body.Url);
      const secret = newSecret(deps, id, refuse);
      if ((await Webhook.countForCreation(tx)) >= WEBHOOKS_MAX)
        throw refuse('conflict', `There are ${WEBHOOKS_MAX} webhooks already`);
      tx.audit('webhook.created', { Types: body.Types });
      const { Name: name, Types: types } = body;
      const row = await Webhook.insert(tx, { id, name, url, types, secret: secret.sealed });
      return { row, Secret: secret.plain };
    },
  }),

  changes(Webhook, 'PATCH /admin/webhook/:id', {
    operationId: 'changeWebhook',
    summary: 'Change, disable or enable a webhook',
    description:
      'A disabled webhook gets no events, and its waiting deliveries are parked. Events from the time when it was ' +
      'disabled are not sent later; parked deliveries can be retried once it is enabled.',
    recent: true,
    body: {
      Name: Type.Optional(Name),
      Url: Type.Optional(Url),
      Types: Type.Optional(Types),
      IsEnabled: Optional.Boolean(),
    },
    run: async ({ tx, deps, id, before, body: { Name: name, Url: given, Types: types, IsEnabled } }) => {
      const url = given === undefined ? undefined : checkedUrl(deps.egressRules, given);
      const isEnabled = IsEnabled ?? before.isEnabled;
      // Enabling it forgets why it was disabled and its failures; another address forgets the failures too.
      const isFresh = (isEnabled && !before.isEnabled) || (url !== undefined && url !== before.url);
      const row = await Webhook.update(tx, id, {
        ...{ name, url, types, isEnabled },
        disabledReason: isEnabled ? null : undefined,
        disabledAt: isEnabled ? null : sql`coalesce(disabled_at, now())`,
        failingSince: isFresh ? null : undefined,
      });
      if (before.isEnabled && !isEnabled) await hookDeliveries.parkWaiting(tx, id);
      const changed = Object.entries({ name, url, types, isEnabled: IsEnabled })
        .filter(([, value]) => value !== undefined)
        .map(([field]) => pascal(field));
      tx.audit('webhook.changed', { Changed: changed, Types: types, IsEnabled });
      return { row };
    },
  }),

  removes(Webhook, 'DELETE /admin/webhook/:id', {
    summary: 'Delete a webhook with its deliveries',
    recent: 'session',
    audit: 'webhook.deleted',
  }),

  changes(Webhook, 'POST /admin/webhook/:id/rotate', {
    operationId: 'rotateWebhook',
    summary: 'Give a webhook another secret',
    description:
      'The secret is shown only in this response. For 24 hours, events are signed with the former secret too.',
    recent: true,
    also: { Secret },
    errors: ['conflict'],
    run: async ({ tx, deps, id, refuse }) => {
      const secret = newSecret(deps, id, refuse);
      const row = await Webhook.update(tx, id, {
        formerSecret: sql`secret`,
        formerSecretUntil: sql`now() + make_interval(secs => ${OVERLAP_SECONDS})`,
        secret: secret.sealed,
      });
      tx.audit('webhook.rotated');
      return { row, Secret: secret.plain };
    },
  }),

  changes(Webhook, 'POST /admin/webhook/:id/test', {
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook',
    description:
      'Sends the event `webhook.test-requested` in the same way as every event, whatever types the webhook has. ' +
      '`GET /admin/hook-delivery?eventId=…` shows its delivery when the hook worker has recorded it.',
    recent: { never: 'it sends a fixed event' },
    response: { EventId: Uuid() },
    status: 202,
    errors: ['conflict'],
    run: ({ tx, id, before, request, refuse }) => {
      if (!before.isEnabled) throw refuse('conflict', 'The webhook is disabled');
      const event = newEvent('webhook.test-requested', { WebhookId: id }, request);
      tx.event(event);
      tx.audit('webhook.tested');
      return { EventId: event.id };
    },
  }),
]);

function newSecret({ sealHookSecret }: Deps, id: string, refuse: Refuse<'conflict'>) {
  if (sealHookSecret === undefined) throw refuse('conflict', WEBHOOKS_OFF);
  const plain = `whsec_${randomBytes(32).toString('base64')}`;
  return { plain, sealed: sealHookSecret(id, plain) };
}

/** Deletes former secrets with which no delivery is signed any more. */
export async function deleteFormerSecrets(db: Db): Promise<void> {
  const forgetting =
    'update webhook set former_secret = null, former_secret_until = null where former_secret_until <= now()';
  await query(db, forgetting);
}

/** Tells administrators of webhooks that the hook worker, which knows no accounts, has disabled. Call it regularly. */
export async function reportDisabledWebhooks(deps: AccountsDeps): Promise<void> {
  const At = new Date().toISOString();
  await write(deps, { actor: { kind: 'System' }, target: { kind: 'Webhook', id: undefined } }, async (tx) => {
    const disabled = await query<{ id: string; name: string; disabledReason: 'Gone' | 'Failing' | null }>(
      tx,
      `update webhook
       set is_reported = true
       where id in (select id from webhook where not is_reported for update skip locked)
       returning id, name, disabled_reason as "disabledReason"`,
    );
    const people = disabled.length === 0 ? [] : await administrators.findMailable(tx);
    for (const { id, name, disabledReason } of disabled) {
      tx.audit('webhook.disabled', { Reason: disabledReason }, id);
      const facts = { WebhookId: id, ...(disabledReason && { Reason: disabledReason }) };
      for (const { id: UserId, email, locale, displayName } of people) {
        const named = displayName === null ? {} : { DisplayName: displayName };
        const content = { Email: email, Locale: locale, ...named, At, WebhookName: name };
        tx.event(newMailEvent(deps.seal, 'webhook.disabled', { UserId, ...facts }, content));
      }
    }
  });
}
