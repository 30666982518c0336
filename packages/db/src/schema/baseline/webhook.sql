-- Webhooks, and the deliveries of events to them.

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

-- An event for a webhook. It has the same columns for its schedule as mail_delivery.
create table hook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  event_id uuid not null,
  type text not null,
  -- What is signed and sent. It contains ids, no personal data.
  body text not null,
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
  constraint hook_delivery_waiting check ((next_try_at is not null) = (status in ('Pending', 'Retrying')))
);
-- An event that arrives again is not delivered again.
create unique index hook_delivery_event on hook_delivery (event_id, webhook_id);
create index hook_delivery_due on hook_delivery (webhook_id, next_try_at) where status in ('Pending', 'Retrying');
create index hook_delivery_claimed on hook_delivery (webhook_id) where claimed_until is not null;
-- The console's list of deliveries, newest first, and its filters.
create index hook_delivery_webhook on hook_delivery (webhook_id, id desc);
create index hook_delivery_status on hook_delivery (status, id desc);
create index hook_delivery_type on hook_delivery (type, id desc);
