import type { AnyEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { deliveryTable, SENT } from '../outbox/delivery-table.ts';
import { inTransaction, query, type Db, type Executor } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import type { DueEvent, DueHook } from './due-hooks.ts';

/** Why a try to send an event to a webhook failed, or why it is parked. */
export const HOOK_ERRORS = [
  'status',
  'redirect',
  'gone',
  'timeout',
  'connection_failed',
  'name_not_found',
  'certificate_invalid',
  'address_not_allowed',
  'secret_unreadable',
  'webhook_disabled',
] as const;
export type HookError = (typeof HOOK_ERRORS)[number];

/** The most webhooks of an installation. With the number of deliveries at once, this bounds the worker's connections. */
export const WEBHOOKS_MAX = 50;

/** The response to a try, if there was one. */
export interface HookResponse {
  statusCode: number | null;
  durationMs: number;
}

/** Deletes what told applications too late, because no worker ran, or has no address any more. */
export const deleteLateLogouts = statement.count<[max: number]>(`delete from hook_delivery
  where id = any(array(
    select id
    from hook_delivery
    where client_id is not null
      and status in ('Pending', 'Retrying')
      and next_try_at < now() - interval '1 day'
    limit ?
    for update skip locked))
  returning id`);

export const { extendClaims, backlog, deleteOld } = deliveryTable('hook_delivery');
const { markRetry, park } = deliveryTable('hook_delivery');

/**
 * Records an event once for each enabled webhook that wants it, however often it arrives; returns how many deliveries are
 * new. `body`: what is sent. A test event is only for its own webhook. The lock makes disabling a webhook wait, which
 * parks what was recorded.
 */
export async function record(db: Executor, event: AnyEvent, body: string): Promise<number> {
  const { id, type, traceid, traceparent } = event;
  const sql = `with wanting as (
      select id
      from webhook
      where is_enabled
        and case
          when cast(:only as uuid) is null then types && cast(:patterns as text[])
          else id = cast(:only as uuid)
        end
      for share
    ),
    numbered as (
      select id, row_number() over (order by id) as place
      from wanting
    )
    insert into hook_delivery (id, webhook_id, event_id, type, body, trace_id, traceparent)
    select coalesce((cast(:ids as uuid[]))[place], gen_random_uuid()), id, :eventId, :type, :body, :traceId, :traceparent
    from numbered
    on conflict (event_id, receiver_id) do nothing
    returning id`;
  return await query.count(db, sql, {
    only: event.type === 'webhook.test-requested' ? event.data.WebhookId : null,
    patterns: patternsOf(type),
    ids: Array.from({ length: WEBHOOKS_MAX }, () => newId()),
    eventId: id,
    type,
    body,
    traceId: traceid ?? null,
    traceparent,
  });
}

/** What a webhook may list to get events of a type: the type, all of its subject, or all. */
function patternsOf(type: string): string[] {
  return [type, `${type.slice(0, type.indexOf('.'))}.*`, '*'];
}

/** Records that the receiver has accepted the delivery, whichever worker holds it now. */
export const markSent = statement.run<Pick<DueHook, 'id' | 'webhookId'> & HookResponse>(`with healed as (
    update webhook
    set failing_since = null
    where id = :webhookId
      and failing_since is not null
  )
  update hook_delivery
  set ${SENT},
    status_code = :statusCode,
    duration_ms = :durationMs
  where id = :id
    and status <> 'Sent'`);

/** Records that a try has failed: it is retried `afterSeconds` from now, or parked. */
export async function markFailed(
  db: Executor,
  hook: DueHook,
  {
    afterSeconds,
    error,
    statusCode,
    durationMs,
  }: HookResponse & { afterSeconds: number | undefined; error: HookError },
): Promise<void> {
  const more = { status_code: statusCode, duration_ms: durationMs };
  if (afterSeconds === undefined) await park(db, hook, error, more);
  else await markRetry(db, hook, { afterSeconds, error }, more);
  const sql = 'update webhook set failing_since = now() where id = ? and url = ? and failing_since is null';
  await query(db, sql, [hook.webhookId, hook.url]);
}

/** The error of deliveries that waited when their webhook was disabled. */
const DISABLED: HookError = 'webhook_disabled';

/**
 * Disables a webhook: because its receiver is gone, or if it has failed for `failingSeconds` without any success. Returns
 * whether it did; not if it has another address meanwhile.
 */
export async function disable(
  db: Db,
  { webhookId, url }: Pick<DueEvent, 'webhookId' | 'url'>,
  why: { reason: 'Gone' } | { reason: 'Failing'; failingSeconds: number },
): Promise<boolean> {
  return await inTransaction(db, NO_DEADLINE, async (tx) => {
    const failingSeconds = why.reason === 'Failing' ? why.failingSeconds : 0;
    const sql = `update webhook
      set is_enabled = false, disabled_reason = :reason, disabled_at = now(), is_reported = false
      where id = :webhookId
        and url = :url
        and is_enabled
        and (:reason = 'Gone' or failing_since <= now() - make_interval(secs => :failingSeconds))
      returning id`;
    const disabled = await query(tx, sql, { webhookId, url, reason: why.reason, failingSeconds });
    if (disabled.length === 0) return false;
    await parkWaiting(tx, webhookId);
    return true;
  });
}

/** Parks what waits for a webhook that the transaction has disabled. */
export const parkWaiting = txStatement.run<[webhookId: string]>(`update hook_delivery
  set status = 'Parked', parked_at = now(), next_try_at = null, claimed_until = null, last_error = '${DISABLED}'
  where webhook_id = ?
    and status in ('Pending', 'Retrying')`);
