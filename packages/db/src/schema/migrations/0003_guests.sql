-- Content that is shared with people, and the invitations that make guests.

create table content_definition (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('LiveChannel', 'Recording', 'Document')),
  -- Who may invite to it, beside administrators.
  owner_id uuid references account on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index content_definition_owner on content_definition (owner_id);

create table content_access (
  content_definition_id uuid not null references content_definition on delete cascade,
  account_id uuid not null references account on delete cascade,
  -- Null: a static API token. Kept when that account is gone.
  granted_by uuid,
  granted_at timestamptz not null default now(),
  primary key (content_definition_id, account_id)
);
create index content_access_account on content_access (account_id);

create table invitation (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  content_definition_id uuid not null references content_definition on delete cascade,
  token_hash bytea not null,
  -- Null: a static API token. No foreign key: an invitation of an account that is gone must not pass for one.
  invited_by uuid,
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  deleted_at timestamptz,
  -- The event whose mail carries the link; null where none was sent.
  mail_event_id uuid,
  constraint invitation_token unique (token_hash),
  constraint invitation_one_end check (accepted_at is null or deleted_at is null)
);
create unique index invitation_one_pending on invitation (account_id, content_definition_id)
  where accepted_at is null and deleted_at is null;
create index invitation_content on invitation (content_definition_id);

-- How many invitations somebody (an account or a static API token) sent in the running day.
create table inviter_quota (
  inviter_id uuid primary key,
  window_started_at timestamptz not null default now(),
  sent integer not null
);
