import { deliveryTable, type DeliveryStatus } from '../outbox/delivery-table.ts';
import { query, type Executor } from '../postgres/connect.ts';
import type { HookError } from './hook-errors.ts';
import { conditionsOf, ordered, sieve, since, until, type Filters } from '../search/filters.ts';
import { defineList } from '../search/list.ts';
import { allOf } from '../search/newest-matches.ts';

/** A delivery as administrators see it. */
export interface HookRecord {
  id: string;
  /** Null if it tells an application of the end of a session. */
  webhookId: string | null;
  clientId: string | null;
  eventId: string;
  type: string;
  status: DeliveryStatus;
  /** The number of tries since it was recorded, or since an operator had it retried. */
  tries: number;
  lastError: HookError | null;
  /** The response to the last try, if there was one. */
  statusCode: number | null;
  durationMs: number | null;
  nextTryAt: Date | null;
  createdAt: Date;
  sentAt: Date | null;
  parkedAt: Date | null;
  /** The trace of the request that caused the event. */
  traceId: string | null;
}

const COLUMNS = `id, webhook_id as "webhookId", client_id as "clientId", event_id as "eventId", type, status,
  tries - tries_forgiven as tries,
  last_error as "lastError", status_code as "statusCode", duration_ms as "durationMs", next_try_at as "nextTryAt",
  created_at as "createdAt", sent_at as "sentAt", parked_at as "parkedAt", trace_id as "traceId"`;

/** Which deliveries are requested; a delivery must meet all given conditions. */
export interface HookFilter {
  webhookId?: string | undefined;
  clientId?: string | undefined;
  status?: DeliveryStatus | undefined;
  type?: string | undefined;
  eventId?: string | undefined;
  /** Recorded at this time or later. */
  from?: Date | undefined;
  /** Recorded before this time. */
  to?: Date | undefined;
}

/** The list of deliveries. */
export const { findNewest, rowsOf } = defineList<HookFilter, HookRecord>({
  table: 'hook_delivery',
  select: `select ${COLUMNS} from hook_delivery`,
  filters: {
    webhookId: ordered('receiver_id = :webhookId and client_id is null'),
    clientId: ordered('receiver_id = :clientId and client_id is not null'),
    status: ordered('status = :status'),
    type: ordered('type = :type'),
    eventId: ordered('event_id = :eventId'),
    from: since('created_at'),
    to: until('created_at'),
  },
  sieved: ['created_at'],
});

/** What is sent: an event, or the end of a session. */
export type HookContent =
  { body: string; accountId: null; sessionId: null } | { body: null; accountId: string; sessionId: string };

/** A delivery and what is sent. */
export async function findById(
  executor: Executor,
  id: string,
): Promise<(HookRecord & HookContent) | undefined> {
  const sql = `select ${COLUMNS}, body, account_id as "accountId", session_id as "sessionId" from hook_delivery where id = ?`;
  const [row] = await query<HookRecord & HookContent>(executor, sql, [id]);
  return row;
}

/** Selects parked deliveries; a delivery must meet all given conditions. */
export interface ParkedHookFilter {
  id?: string | undefined;
  webhookId?: string | undefined;
  clientId?: string | undefined;
  type?: string | undefined;
  /** Recorded at this time or later. */
  from?: Date | undefined;
  /** Recorded before this time. */
  to?: Date | undefined;
  error?: HookError | undefined;
}

export interface ParkedHook {
  id: string;
  webhookId: string | null;
  clientId: string | null;
  type: string;
  /** Whether its webhook is enabled, or its application has an address for it. */
  isWanted: boolean;
}

/**
 * Up to `max` matching parked deliveries, newest first. With `locks`, they are locked until the transaction ends, and their
 * webhooks cannot be disabled.
 */
export async function findParked(
  executor: Executor,
  filter: ParkedHookFilter,
  { max, locks }: { max: number; locks: boolean },
): Promise<ParkedHook[]> {
  const { bindings, ...conditions } = conditionsOf(PARKED_FILTERS, filter);
  const parked = await query<Omit<ParkedHook, 'isWanted'> & { receiverId: string }>(
    executor,
    `select id, webhook_id as "webhookId", client_id as "clientId", receiver_id as "receiverId", type
     from hook_delivery
     where status = 'Parked' and ${allOf(conditions)}
     order by id desc
     limit :max
     ${locks ? 'for update' : ''}`,
    { ...bindings, max },
  );
  const wanting = await findWanting(executor, parked, locks);
  return parked.map(({ receiverId, ...hook }) => ({ ...hook, isWanted: wanting.has(receiverId) }));
}

async function findWanting(
  executor: Executor,
  hooks: readonly { webhookId: string | null; clientId: string | null }[],
  locks: boolean,
): Promise<Set<string>> {
  const idsOf = (name: 'webhookId' | 'clientId') => [...new Set(hooks.flatMap((hook) => hook[name] ?? []))];
  const enabled = await query<{ id: string }>(
    executor,
    `select id from webhook where is_enabled and id = any(cast(? as uuid[])) order by id ${locks ? 'for share' : ''}`,
    [idsOf('webhookId')],
  );
  const told = await query<{ id: string }>(
    executor,
    'select id from oauth_client where backchannel_logout_uri is not null and id = any(cast(? as uuid[]))',
    [idsOf('clientId')],
  );
  return new Set([...enabled, ...told].map(({ id }) => id));
}

const PARKED_FILTERS: Filters<ParkedHookFilter> = {
  id: ordered('id = :id'),
  webhookId: ordered('receiver_id = :webhookId and client_id is null'),
  clientId: ordered('receiver_id = :clientId and client_id is not null'),
  type: ordered('type = :type'),
  from: sieve('created_at >= :from'),
  to: sieve('created_at < :to'),
  error: sieve('last_error = :error'),
};

export const { retry } = deliveryTable('hook_delivery');
