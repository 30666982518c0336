import { deliveryTable, HOOK_ERRORS, ordered, query, sieve, since, until } from '@gatehouse/db';
import type { Executor } from '@gatehouse/db';
import { eventTypes } from '@gatehouse/events';
import { by, computed, moment, record, time, timeOrNull, where, type RowOf } from '@gatehouse/kit';
import { NameOf, Nullable, Type, Uuid } from '@gatehouse/schema';
import { CHANGED_MAX } from '@gatehouse/accounts';
import { bulk, changes, list, one, routes } from '../deps.ts';

const Status = NameOf(['Pending', 'Sent', 'Retrying', 'Parked']);
const ErrorName = NameOf(HOOK_ERRORS);
const { retry } = deliveryTable('hook_delivery');

const fields = {
  id: Uuid(),
  webhookId: Nullable(Uuid(), { description: 'Null if it tells an application of the end of a session' }),
  clientId: Nullable(Uuid(), { description: 'That application' }),
  eventId: Uuid(),
  type: Type.String(),
  status: Status,
  tries: computed(
    Type.Integer({
      description: 'Number of attempts since it was queued or last retried by an administrator',
    }),
    'tries - tries_forgiven',
  ),
  lastError: Nullable(ErrorName),
  statusCode: Nullable(Type.Integer(), { description: 'The response to the last attempt, if there was one' }),
  durationMs: Nullable(Type.Integer(), { description: 'How long the last attempt took' }),
  nextTryAt: timeOrNull(),
  createdAt: time(),
  sentAt: timeOrNull(),
  parkedAt: timeOrNull(),
  traceId: Nullable(Type.String(), { description: 'The request that caused the event' }),
};

const named = { name: 'HookDelivery', noun: 'delivery', nouns: 'deliveries' } as const;
/** A delivery to a webhook or an application … */
const Delivery = record('hook_delivery', fields, named);
/** … and with what is sent: an event, or the end of a session. */
const DeliveryWithContent = record(
  'hook_delivery',
  {
    ...fields,
    body: Nullable(Type.String(), { description: 'The event as it is sent to a webhook' }),
    userId: computed(
      Nullable(Uuid(), { description: 'Whose session has ended, as an application is told' }),
      'account_id',
    ),
    sessionId: Nullable(Uuid()),
  },
  { ...named, title: null },
);
type Delivery = RowOf<typeof fields>;

const ofReceiver = {
  webhookId: where(by(Uuid()), ordered('receiver_id = :webhookId and client_id is null')),
  clientId: where(by(Uuid()), ordered('receiver_id = :clientId and client_id is not null')),
};

export const hookDeliveryRoutes = routes({ tag: 'Webhooks', access: ['Admin'] }, [
  list(Delivery, 'GET /admin/hook-delivery', {
    operationId: 'listHookDeliveries',
    summary: 'List deliveries to webhooks and applications, newest first',
    description:
      'Lists what the hook worker has recorded in the last `WEBHOOK_KEEP_DAYS`. `from` and `to` filter by the time when ' +
      'it was recorded. A page can be short or empty and still have a `NextCursor`.',
    filters: {
      ...ofReceiver,
      status: by(Status),
      type: by(NameOf(eventTypes)),
      eventId: by(Uuid()),
      from: where(moment(), since('created_at')),
      to: where(moment(), until('created_at')),
    },
    sieved: ['created_at'],
  }),

  one(DeliveryWithContent, 'GET /admin/hook-delivery/:id', { summary: 'Get a delivery and what is sent' }),

  changes(Delivery, 'POST /admin/hook-delivery/:id/retry', {
    operationId: 'retryHookDelivery',
    summary: 'Retry a parked delivery',
    description:
      'Sends it within a second, with all its attempts. Returns 409 if it is not parked, its webhook is ' +
      'disabled, or its application has no `BackchannelLogoutUri` any more.',
    recent: { never: 'it sends again what was sent to the same address' },
    errors: ['conflict'],
    run: async ({ tx, id, before, refuse }) => {
      if (before.status !== 'Parked')
        throw refuse('conflict', `Only a parked delivery can be retried; this one is ${before.status}`);
      if ((await wantedOf([before], tx, true)).length === 0)
        throw refuse('conflict', 'The webhook is disabled, or the application has no logout address');
      await retry(tx, [id]);
      tx.audit('hook-delivery.retried', detailsOf(before));
      return { row: (await Delivery.find(tx, id)) ?? before };
    },
  }),

  bulk(Delivery, 'POST /admin/hook-delivery/retry', {
    operationId: 'retryHookDeliveries',
    summary: 'Retry all matching parked deliveries',
    description:
      'Retries every parked delivery that matches the filter, and skips those of disabled webhooks, and of ' +
      'applications without a `BackchannelLogoutUri`. An empty filter is refused. ' +
      `Returns 409 if more than ${CHANGED_MAX} deliveries match.`,
    recent: { never: 'it sends again what was sent to the same addresses' },
    filters: {
      ...ofReceiver,
      type: by(NameOf(eventTypes)),
      from: where(moment(), sieve('created_at >= :from')),
      to: where(moment(), sieve('created_at < :to')),
      error: where(by(ErrorName), sieve('last_error = :error')),
    },
    title: 'ParkedHookDeliveryFilter',
    always: `status = 'Parked'`,
    counts: 'Deliveries that are sent again',
    also: {
      Skipped: Type.Integer({ description: 'Matching deliveries that their receivers do not want any more' }),
    },
    plan: async (found, { executor, locks }) => {
      const rows = await wantedOf(found, executor, locks);
      return { rows, Skipped: found.length - rows.length };
    },
    run: async (rows, { tx }) => {
      const ids = rows.map(({ id }) => id);
      await retry(tx, ids);
      for (const row of rows) tx.audit('hook-delivery.retried', detailsOf(row), row.id);
    },
  }),
]);

function detailsOf({ webhookId, clientId, type }: Delivery): Record<string, unknown> {
  return {
    ...(webhookId !== null && { WebhookId: webhookId }),
    ...(clientId !== null && { ClientId: clientId }),
    Type: type,
  };
}

/** Those whose receiver wants them. With `locks`, their webhooks cannot be disabled until the transaction ends. */
async function wantedOf(deliveries: readonly Delivery[], executor: Executor, locks: boolean) {
  const idsOf = (name: 'webhookId' | 'clientId') => [
    ...new Set(deliveries.flatMap((each) => each[name] ?? [])),
  ];
  const enabled = `select id from webhook
    where is_enabled and id = any(cast(? as uuid[])) order by id ${locks ? 'for share' : ''}`;
  const notified = `select id from oauth_client
    where backchannel_logout_uri is not null and id = any(cast(? as uuid[]))`;
  const receivers = new Set([
    ...(await query.column<string>(executor, enabled, [idsOf('webhookId')])),
    ...(await query.column<string>(executor, notified, [idsOf('clientId')])),
  ]);
  return deliveries.filter(({ webhookId, clientId }) => receivers.has(webhookId ?? clientId ?? ''));
}
