-- Failed logins, and the codes and links that are mailed to prove an email.

-- Failed logins, of emails with and without an account, so that the two cannot be told apart.
create table login_throttle (
  -- What is counted, as JSON: a kind, whom it concerns, and an address if each address is counted separately.
  email_key text primary key,
  failures integer not null default 0,
  blocked_until timestamptz,
  -- Whether the latest attempt was let through.
  admitted boolean not null default true,
  updated_at timestamptz not null default now(),
  -- When each check in progress began. A burst of attempts waits for the first of them. Old ones are ignored, because
  -- their process may have died.
  checks timestamptz[] not null default '{}'
);
create index login_throttle_updated_at on login_throttle (updated_at);
-- For the console: who has to wait now, which are few of all who failed.
create index login_throttle_waiting on login_throttle (blocked_until) where blocked_until is not null;

-- Mailed codes. A new one replaces the previous one of its purpose.
create table account_code (
  account_id uuid not null references account on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset', 'change-email', 'two-factor', 'erase', 'complete', 'mailbox')),
  id uuid not null,
  code_hash bytea not null,
  tries_left smallint not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The address that a `change-email` code was mailed to, and proves. Other codes prove the account's own.
  email text,
  -- The number of wrong tries from each address (IPv6: each /64). tries_left bounds how many addresses there are.
  tries jsonb not null default '{}',
  primary key (account_id, purpose),
  constraint account_code_email check ((email is not null) = (purpose = 'change-email'))
);

-- Erasing an account is not for Portal to request.
create trigger account_code_erase before insert or update on account_code for each row
  when (new.purpose = 'erase')
  execute function refuse_portal();

-- Codes for verifying an email that were mailed before the newest one. They remain valid until one of them is used.
create table earlier_verify_code (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  tries_left smallint not null,
  tries jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index earlier_verify_code_account on earlier_verify_code (account_id);

-- Requests for a mailed code, for emails with and without an account. The response does not wait for the work, so its
-- time does not reveal whether there is an account.
create table reset_request (
  id uuid primary key,
  email_key text not null,
  trace_id text not null,
  created_at timestamptz not null default now(),
  -- When it is due. The process that takes it moves this into the future, so that another one takes over if it dies.
  due_at timestamptz not null default now(),
  purpose text not null check (purpose in ('reset', 'verify', 'login')),
  -- The hash of the secret with which the code of this request works, if it is for logging in.
  request_hash bytea,
  -- The traced request that asked, so that the mail becomes part of the same trace.
  traceparent text,
  -- The address that asked (IPv6: its /64). Addresses from which the account was used have their own share of mails.
  address_group text,
  constraint reset_request_hash check ((request_hash is not null) = (purpose = 'login'))
);
create index reset_request_due on reset_request (due_at);
create index reset_request_email on reset_request (email_key);

-- Links that were mailed to the former address of an account whose email was changed, to take the change back.
create table email_change (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  former_email text not null,
  former_email_key text not null,
  changed_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_change_account on email_change (account_id);
create index email_change_expiry on email_change (expires_at);

-- Somebody could register the former address, without being able to verify it, to prevent its owner from taking the
-- change back. This deletes such an account and returns its id. It keeps accounts that an administrator or an inviter
-- created, and those with content.
create function free_former_email(link_hash bytea) returns uuid
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  removed_id uuid;
begin
  delete from public.account a
  using public.email_change c
  where c.token_hash = link_hash and c.expires_at > now() and a.email_key = c.former_email_key
    and a.id <> c.account_id and a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null
    and not a.is_service and not public.is_disabled_now(a.is_disabled, a.disabled_until) and a.expires_at is null
    and not exists (select from public.content_access g where g.account_id = a.id)
    and not exists (select from public.content_definition d where d.owner_id = a.id)
  returning a.id into removed_id;
  return removed_id;
end $$;
