-- Webhooks, and the deliveries to them and to applications whose sessions have ended.

create table webhook (
  id uuid primary key,
  name text not null,
  url text not null,
  -- Event types; `guest.*` stands for all that begin with it, `*` for all.
  types text[] not null,
  -- Encrypted for the hook worker.
  secret text not null,
  -- The secret before the last rotation, and until when deliveries are signed with it too.
  former_secret text,
  former_secret_until timestamptz,
  is_enabled boolean not null default true,
  -- Why the hook worker has disabled it; null if an administrator has, or if it is enabled.
  disabled_reason text check (disabled_reason in ('Gone', 'Failing')),
  disabled_at timestamptz,
  -- Whether the administrators have been told.
  is_reported boolean not null default true,
  -- The first failure since the last success.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  constraint webhook_disabled check (is_enabled = (disabled_at is null))
);

-- The hook worker may disable a webhook and ask for a report. Only who may change its address may enable it, and say that
-- it was reported.
create function refuse_enabling_webhook() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if (new.is_enabled and not old.is_enabled or new.is_reported and not old.is_reported)
    and not has_column_privilege(tg_relid, 'url', 'update')
  then
    raise exception 'permission denied to enable a webhook' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger webhook_enabling before update of is_enabled, is_reported on webhook
  for each row execute function refuse_enabling_webhook();

-- An event for a webhook, or the end of a session for an application that was signed in to in it. It has the same columns
-- for its schedule as mail_delivery.
create table hook_delivery (
  id uuid primary key,
  webhook_id uuid references webhook on delete cascade,
  client_id uuid references oauth_client on delete cascade,
  -- To whom it goes: as many at once to each.
  receiver_id uuid not null generated always as (coalesce(webhook_id, client_id)) stored,
  -- Of the end of a session: its own id.
  event_id uuid not null,
  type text not null,
  -- What is signed and sent to a webhook. It contains ids, no personal data.
  body text,
  -- What is sent to an application says which session of which account has ended. Core signs it when it is due.
  account_id uuid,
  session_id uuid,
  logout_token text,
  token_expires_at timestamptz,
  -- When no access token of the session can be valid any more.
  gives_up_at timestamptz,
  status text not null default 'Pending' check (status in ('Pending', 'Sent', 'Retrying', 'Parked')),
  tries integer not null default 0,
  last_error text,
  next_try_at timestamptz default now(),
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  trace_id text,
  traceparent text,
  tries_forgiven integer not null default 0,
  retried_at timestamptz,
  parked_at timestamptz,
  -- The response to the last try, if there was one, and how long the try took.
  status_code integer,
  duration_ms integer,
  constraint hook_delivery_waiting check ((next_try_at is not null) = (status in ('Pending', 'Retrying'))),
  constraint hook_delivery_receiver check (
    case when client_id is null then webhook_id is not null and body is not null and logout_token is null
    else webhook_id is null and body is null and account_id is not null and session_id is not null end)
);
-- An event that arrives again is not delivered again.
create unique index hook_delivery_event on hook_delivery (event_id, receiver_id);
create index hook_delivery_due on hook_delivery (receiver_id, next_try_at) where status in ('Pending', 'Retrying');
create index hook_delivery_claimed on hook_delivery (receiver_id) where claimed_until is not null;
create index hook_delivery_logout on hook_delivery (next_try_at)
  where client_id is not null and status in ('Pending', 'Retrying');
-- The console's list of deliveries, newest first, and its filters.
create index hook_delivery_receiver on hook_delivery (receiver_id, id desc);
create index hook_delivery_status on hook_delivery (status, id desc);
create index hook_delivery_type on hook_delivery (type, id desc);

-- With the end of a session, whichever service ends it, each application that was signed in to in it and that asks to be
-- told is due to be told.
create function announce_logout() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into public.hook_delivery (id, event_id, client_id, account_id, session_id, type)
  select made.id, made.id, made.client_id, new.account_id, new.id, 'session.ended'
  from (
    select c.id as client_id,
      -- A UUID of version 7, as services make them: 48 bits of milliseconds, then random ones (RFC 9562, section 5.7).
      encode(
        set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1), 52, 1), 53, 1),
        'hex')::uuid as id
    from public.oauth_client c
    where c.backchannel_logout_uri is not null
      and exists (select from public.client_session s where s.session_id = new.id and s.client_id = c.id)
  ) made;
  return null;
end $$;
create trigger user_session_logout after update of ended_at on user_session
  for each row when (old.ended_at is null and new.ended_at is not null) execute function announce_logout();
