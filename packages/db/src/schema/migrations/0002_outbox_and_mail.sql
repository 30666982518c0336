-- Events on their way to the broker, and what became of each mail.

-- Filled in the transaction of the change that an event tells of. A row leaves when the broker has confirmed the
-- event; one that sends a mail stays, published again ever more rarely, until the mail worker has recorded it:
-- a broker that loses its queue loses no mail.
create table outbox (
  id uuid primary key,
  type text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz,
  publications integer not null default 0,
  -- When it is due, or due again; a relay that takes it moves this on for the time it needs.
  publish_after timestamptz not null default now()
);
create index outbox_due on outbox (publish_after, id);

-- One row per mail, by its event's id, so that a repeated event sends nothing twice.
create table mail_delivery (
  id uuid primary key,
  kind text not null,
  account_id uuid not null,
  -- Null when the sealed content could not be opened.
  email text,
  -- As it came, its content still sealed: what an operator's retry sends.
  event jsonb not null,
  status text not null default 'Pending' check (status in ('Pending', 'Sent', 'Retrying', 'Parked')),
  tries integer not null default 0,
  last_error text,
  next_try_at timestamptz default now(),
  -- A worker holds it until then; one that dies lets go by itself.
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  trace_id text,
  constraint mail_delivery_waiting check ((next_try_at is not null) = (status in ('Pending', 'Retrying')))
);
create index mail_delivery_overdue on mail_delivery (next_try_at) where status in ('Pending', 'Retrying');
