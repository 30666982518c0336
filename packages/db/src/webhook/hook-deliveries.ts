import type { AnyEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { deliveryTable, SENT, CLAIMED, IS_DUE, type Delivery } from '../outbox/delivery-table.ts';
import { inTransaction, query, type Db, type Executor } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

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
 * Records an event once for each enabled webhook that wants it; returns how many deliveries are new. A test event is for
 * its own webhook. The lock makes disabling a webhook wait, which parks what was recorded.
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

/** Disables a webhook that is gone or failing; `false` if it has another address meanwhile. */
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

export type DueHook = DueEvent | DueLogout;

interface Due extends Delivery {
  eventId: string;
  type: string;
  url: string;
  traceId: string | null;
  traceparent: string | null;
}

export interface DueEvent extends Due {
  webhookId: string;
  clientId: null;
  patienceSeconds: null;
  body: string;
  /** The encrypted secret, and the former one while it is still used. */
  secret: string;
  formerSecret: string | null;
  /** The time since the first failure after the last success of its webhook. */
  failingSeconds: number | null;
}

/** The end of a session for an application. */
export interface DueLogout extends Due {
  webhookId: null;
  clientId: string;
  logoutToken: string;
  /** How long it is worth trying. */
  patienceSeconds: number;
}

const CLAIM_LOCK = 7_114_201_992;

/** A logout token is sent only if it stays valid for as long as a call can take. */
const TOKEN_LEFT = `token_expires_at > now() + interval '15 seconds'`;

const DUE_COLUMNS = `
  claimed.id, webhook_id as "webhookId", client_id as "clientId", event_id as "eventId", type, body, secret,
  coalesce(url, backchannel_logout_uri) as url, logout_token as "logoutToken",
  case when former_secret_until > now() then former_secret end as "formerSecret",
  trace_id as "traceId", traceparent,
  extract(epoch from now() - failing_since)::float as "failingSeconds",
  extract(epoch from gives_up_at - coalesce(retried_at, claimed.created_at))::float as "patienceSeconds",
  ${CLAIMED.replaceAll('created_at', 'claimed.created_at')}`;

/**
 * Claims due deliveries for `holdSeconds`: at most `perReceiver` to each receiver in all workers, so one claims at a
 * time. `takesOver`: also those whose worker has not extended its hold, but `own`.
 */
export async function claimDue(
  db: Db,
  options: {
    limit: number;
    perReceiver: number;
    holdSeconds: number;
    takesOver: boolean;
    own: readonly string[];
  },
): Promise<DueHook[]> {
  return await inTransaction(db, NO_DEADLINE, async (tx) => {
    await query(tx, 'select pg_advisory_xact_lock(?)', [CLAIM_LOCK]);
    return await query<DueHook>(
      tx,
      `with receiver as (
         select id from webhook where is_enabled
         union all
         select id from oauth_client where backchannel_logout_uri is not null
       ),
       due as materialized (
         select delivery.id
         from receiver
         cross join lateral (
           select id
           from hook_delivery
           where receiver_id = receiver.id
             and (client_id is null or ${TOKEN_LEFT})
             and ${IS_DUE}
           order by next_try_at
           limit greatest(0, :perReceiver - (
             select count(*)
             from hook_delivery as held
             where held.receiver_id = receiver.id
               and held.claimed_until is not null
               and (held.claimed_until > now() or not :takesOver or held.id = any(cast(:own as uuid[])))))
           for update skip locked
         ) as delivery
         limit :limit
       ),
       claimed as (
         update hook_delivery as delivery
         set claimed_until = now() + make_interval(secs => :holdSeconds),
           tries = tries + 1
         from due
         where delivery.id = due.id
         returning delivery.*
       )
       select ${DUE_COLUMNS}
       from claimed
       left join webhook on webhook.id = webhook_id
       left join oauth_client on oauth_client.id = client_id`,
      options,
    );
  });
}
