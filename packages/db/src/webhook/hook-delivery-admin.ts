import { deliveryTable, type DeliveryStatus } from '../outbox/delivery-table.ts';
import { query, type Executor } from '../postgres/connect.ts';
import type { HookError } from './hook-errors.ts';
import { conditionsOf, ordered, sieve, since, until, type Filters } from '../search/filters.ts';
import { defineList } from '../search/list.ts';
import { allOf } from '../search/newest-matches.ts';

/** A delivery as administrators see it. */
export interface HookRecord {
  id: string;
  webhookId: string;
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

const COLUMNS = `id, webhook_id as "webhookId", event_id as "eventId", type, status, tries - tries_forgiven as tries,
  last_error as "lastError", status_code as "statusCode", duration_ms as "durationMs", next_try_at as "nextTryAt",
  created_at as "createdAt", sent_at as "sentAt", parked_at as "parkedAt", trace_id as "traceId"`;

/** Which deliveries are requested; a delivery must meet all given conditions. */
export interface HookFilter {
  webhookId?: string | undefined;
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
    webhookId: ordered('webhook_id = :webhookId'),
    status: ordered('status = :status'),
    type: ordered('type = :type'),
    eventId: ordered('event_id = :eventId'),
    from: since('created_at'),
    to: until('created_at'),
  },
  sieved: ['created_at'],
});

/** A delivery and what is sent. */
export async function findById(
  executor: Executor,
  id: string,
): Promise<(HookRecord & { body: string }) | undefined> {
  const sql = `select ${COLUMNS}, body from hook_delivery where id = ?`;
  const [row] = await query<HookRecord & { body: string }>(executor, sql, [id]);
  return row;
}

/** Selects parked deliveries; a delivery must meet all given conditions. */
export interface ParkedHookFilter {
  id?: string | undefined;
  webhookId?: string | undefined;
  type?: string | undefined;
  /** Recorded at this time or later. */
  from?: Date | undefined;
  /** Recorded before this time. */
  to?: Date | undefined;
  error?: HookError | undefined;
}

export interface ParkedHook {
  id: string;
  webhookId: string;
  type: string;
  isWebhookEnabled: boolean;
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
  return await query<ParkedHook>(
    executor,
    `select delivery.id, webhook_id as "webhookId", type, is_enabled as "isWebhookEnabled"
     from hook_delivery as delivery
     join webhook on webhook.id = webhook_id
     where status = 'Parked' and ${allOf(conditions)}
     order by delivery.id desc
     limit :max
     ${locks ? 'for update of delivery for share of webhook' : ''}`,
    { ...bindings, max },
  );
}

const PARKED_FILTERS: Filters<ParkedHookFilter> = {
  id: ordered('delivery.id = :id'),
  webhookId: ordered('webhook_id = :webhookId'),
  type: ordered('type = :type'),
  from: sieve('delivery.created_at >= :from'),
  to: sieve('delivery.created_at < :to'),
  error: sieve('last_error = :error'),
};

export const { retry } = deliveryTable('hook_delivery');
