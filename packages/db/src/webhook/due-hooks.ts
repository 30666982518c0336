import { NO_DEADLINE } from '@gatehouse/runtime';
import { CLAIMED, IS_DUE, type Delivery } from '../outbox/delivery-table.ts';
import { inTransaction, query, type Db } from '../postgres/connect.ts';

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
 * Claims deliveries that are due, so that no other worker sends them within `holdSeconds`: at most `perReceiver` to each
 * webhook or application in all workers together, so one claims at a time. `takesOver`: also those whose worker has not
 * extended its hold, except those in `own`.
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
