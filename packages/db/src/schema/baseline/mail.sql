-- Events that wait for the broker, and mails.

-- Events, added in the transaction of the change that they report. A row is removed when the broker has confirmed the
-- event. An event that causes a mail remains, and is published again at growing intervals, until the mail worker has
-- recorded the mail: so no mail is lost if the broker loses its queue.
create table outbox (
  id uuid primary key,
  type text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  publications integer not null default 0,
  -- When it is due. The relay that takes it moves this into the future, so that another one takes over if it dies.
  publish_after timestamptz not null default now()
);
create index outbox_due on outbox (publish_after, id);

-- Mails, with the id of their event, so that an event that is delivered twice sends one mail.
create table mail_delivery (
  id uuid primary key,
  kind text not null,
  account_id uuid not null,
  -- Null if the content could not be decrypted.
  email text,
  -- The event with its encrypted content, which is removed when the mail is sent.
  event jsonb not null,
  status text not null default 'Pending' check (status in ('Pending', 'Sent', 'Retrying', 'Parked')),
  -- Also distinguishes a worker's claim from earlier ones, so an operator's retry does not reset it.
  tries integer not null default 0,
  last_error text,
  -- When it is due; null if it is not to be sent.
  next_try_at timestamptz default now(),
  -- Until then a worker has the mail. If it dies, another one takes over.
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  trace_id text,
  -- The number of tries before an operator's retry, and when that was. The limit of tries counts from there.
  tries_forgiven integer not null default 0,
  retried_at timestamptz,
  -- The code in the mail. Admin cannot decrypt mails, and checks by it whether sending one again makes sense.
  code_id uuid,
  parked_at timestamptz,
  constraint mail_delivery_waiting check ((next_try_at is not null) = (status in ('Pending', 'Retrying')))
);
create index mail_delivery_due on mail_delivery (next_try_at) where status in ('Pending', 'Retrying');
create index mail_delivery_account on mail_delivery (account_id);
-- The console's list of mails, newest first, and its filters.
create index mail_delivery_status on mail_delivery (status, id desc);
create index mail_delivery_email on mail_delivery (lower(email), id desc);
create index mail_delivery_trace on mail_delivery (trace_id, id desc) where trace_id is not null;
-- The bars of the console's charts link to the mails that were sent or parked at that time.
create index mail_delivery_finished on mail_delivery (coalesce(sent_at, parked_at))
  where coalesce(sent_at, parked_at) is not null;

-- The number of mails of a kind to an account in the current hour.
create table mail_quota (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  window_started_at timestamptz not null default now(),
  sent integer not null default 1,
  primary key (account_id, kind)
);

-- The number of mails of a kind to an email in the current hour, whoever caused them.
create table address_mail_quota (
  email_key text not null,
  kind text not null,
  window_started_at timestamptz not null default now(),
  sent integer not null default 1,
  primary key (email_key, kind)
);
create index address_mail_quota_window on address_mail_quota (window_started_at);
