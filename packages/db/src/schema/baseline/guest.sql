-- Content that is shared with people, and invitations to it.

create table content_definition (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('LiveChannel', 'Recording', 'Document')),
  -- Who may invite to it, besides administrators.
  owner_id uuid references account on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index content_definition_owner on content_definition (owner_id);
create index content_definition_search on content_definition using gin (lower(name) gin_trgm_ops);

create table content_access (
  content_definition_id uuid not null references content_definition on delete cascade,
  account_id uuid not null references account on delete cascade,
  -- An account, or null for a static token. No foreign key, because it remains when that account is deleted.
  granted_by uuid,
  granted_at timestamptz not null default now(),
  -- The email that was invited, as the inviter knows it: the account may have another one by now.
  invited_email text not null,
  expires_at timestamptz,
  primary key (content_definition_id, account_id)
);
create index content_access_account on content_access (account_id);
create index content_access_expires on content_access (expires_at) where expires_at is not null;

create table invitation (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  content_definition_id uuid not null references content_definition on delete cascade,
  token_hash bytea not null,
  -- An account, or null for a static token. No foreign key: the invitation of a deleted account must not look like that
  -- of a static token.
  invited_by uuid,
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  deleted_at timestamptz,
  -- The event of the mail with the link. Null if none was sent.
  mail_event_id uuid,
  -- As in content_access.
  invited_email text not null,
  -- When the access that it gives will end. The link expires then at the latest.
  access_expires_at timestamptz,
  constraint invitation_token unique (token_hash),
  constraint invitation_one_end check (accepted_at is null or deleted_at is null)
);
create unique index invitation_one_pending on invitation (account_id, content_definition_id)
  where accepted_at is null and deleted_at is null;
create index invitation_account on invitation (account_id);
create index invitation_content on invitation (content_definition_id);
create index invitation_inviter on invitation (invited_by) where invited_by is not null;
create index invitation_access_expires on invitation (access_expires_at)
  where access_expires_at is not null and accepted_at is null and deleted_at is null;
-- The console's list of pending invitations, newest first, and its filters.
create index invitation_pending on invitation (id desc)
  where accepted_at is null and deleted_at is null;
create index invitation_pending_content on invitation (content_definition_id, id desc)
  where accepted_at is null and deleted_at is null;
create index invitation_pending_inviter on invitation (invited_by, id desc)
  where accepted_at is null and deleted_at is null and invited_by is not null;
create index invitation_pending_end on invitation (expires_at) where accepted_at is null and deleted_at is null;

-- How many invitations an account or a static token has sent in the current day.
create table inviter_quota (
  inviter_id uuid primary key,
  window_started_at timestamptz not null default now(),
  sent integer not null
);

-- Requests for an invitation to be mailed again, for emails with and without one. Like reset_request, but Portal has no
-- rights to that table. The same statements serve both.
create table invitation_request (
  id uuid primary key,
  email_key text not null,
  purpose text not null check (purpose = 'invitation'),
  trace_id text not null,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  traceparent text,
  address_group text
);
create index invitation_request_due on invitation_request (due_at);
create index invitation_request_email on invitation_request (email_key);

-- Turns accounts that were registered but never verified into guests who wait for an invitation: their password, name
-- and codes are void. For Portal, which invites but may not change the credentials of users. Returns the changed
-- accounts. An account that owns content remains as it is, because guests own none.
create function withdraw_registrations(account_ids uuid[]) returns setof uuid
  language sql volatile security definer set search_path = pg_catalog as $$
  with withdrawn as (
    update public.account a
    set role = 'Guest', signup = 'invitation', password_hash = null, password_scheme = null,
      password_version = a.password_version + 1, new_password_required = false, is_contested = false,
      display_name = null
    where a.id = any(account_ids) and a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null
      and not a.is_service
      and not exists (select from public.content_definition c where c.owner_id = a.id)
    returning a.id
  ),
  newest as (delete from public.account_code where account_id in (select id from withdrawn)),
  earlier as (delete from public.earlier_verify_code where account_id in (select id from withdrawn))
  select id from withdrawn
$$;
