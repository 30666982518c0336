-- Accounts, their codes, and the truth about sessions.

create table account (
  id uuid primary key,
  email text not null,
  email_key text not null,
  display_name text,
  locale text not null default 'en',
  role text not null default 'User' check (role in ('User', 'Guest', 'Admin')),
  -- How far the sign-up has come; `complete` once the account can hold a password of its owner's.
  signup text not null default 'complete' check (signup in ('complete', 'new', 'migration', 'invitation')),
  password_hash text,
  -- `peppered`: bcrypt over the keyed pre-hash; `raw`: bcrypt over the password itself, as imported.
  password_scheme text check (password_scheme in ('peppered', 'raw')),
  -- Raised when the owner sets another password, not when its hash is renewed.
  password_version integer not null default 0,
  email_verified_at timestamptz,
  is_disabled boolean not null default false,
  expires_at timestamptz,
  new_password_required boolean not null default false,
  two_factor_required boolean not null default false,
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  constraint account_email_key unique (email_key),
  constraint account_password check ((password_hash is null) = (password_scheme is null))
);

-- Codes that were mailed; a newer one of the same purpose replaces the older (the primary key).
create table account_code (
  account_id uuid not null references account on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset', 'change-email')),
  id uuid not null,
  code_hash bytea not null,
  tries_left smallint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, purpose)
);

-- How many mails of a kind an account got in the running hour.
create table mail_quota (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  window_started_at timestamptz not null default now(),
  sent integer not null default 1,
  primary key (account_id, kind)
);

-- Failed logins by address of the account, known or not: counting unknown ones too keeps them indistinguishable.
create table login_throttle (
  email_key text primary key,
  failures integer not null default 0,
  -- Checks under way, and when the last of them began: a burst is held until its first checks are decided.
  checking integer not null default 0,
  checking_since timestamptz,
  blocked_until timestamptz,
  -- Whether the latest attempt was let through.
  admitted boolean not null default true,
  updated_at timestamptz not null default now()
);
create index login_throttle_updated_at on login_throttle (updated_at);

create table user_session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  status smallint not null check (status between 1 and 8),
  -- Under single-session enforcement; two active exclusive sessions of one account cannot exist.
  is_exclusive boolean not null,
  version integer not null default 1,
  refresh_current bytea not null,
  refresh_next bytea not null,
  -- Nonces that were overtaken lately, oldest first, each with its time; those past their grace are dropped.
  refresh_overtaken bytea[] not null default '{}',
  refresh_overtaken_at timestamptz[] not null default '{}',
  sso_provider text,
  device_name text,
  user_agent text,
  ip_address inet,
  content_definition_id uuid,
  created_at timestamptz not null default now(),
  -- By a ping, a refresh or the login; the pings alone say who is online.
  last_seen_at timestamptz not null default now(),
  last_pinged_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  constraint user_session_ended check ((ended_at is null) = (status in (1, 2, 5)))
);
create unique index user_session_one_active on user_session (account_id) where ended_at is null and is_exclusive;
create index user_session_account on user_session (account_id, created_at desc);
create index user_session_idle on user_session (last_seen_at) where ended_at is null;
create index user_session_expiry on user_session (expires_at) where ended_at is null;

-- Every change of every session, never changed or removed. Readers follow it by (xact, seq) up to the oldest
-- transaction still running, so that a row which commits late is never skipped.
create table session_event (
  seq bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  session_id uuid not null,
  account_id uuid not null,
  status smallint not null,
  changed_at timestamptz not null default now(),
  changed_by uuid,
  reason text not null,
  token_expires_at timestamptz not null
);
create index session_event_session on session_event (session_id, seq);
create index session_event_order on session_event (xact, seq);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger session_event_append_only before update or delete or truncate on session_event
  for each statement execute function refuse_change();

-- Sessions whose live copy in Redis must be written (again): filled in the transaction of the change, emptied
-- by whoever wrote it.
create table live_session_outbox (
  id bigint generated always as identity primary key,
  session_id uuid not null,
  created_at timestamptz not null default now()
);
