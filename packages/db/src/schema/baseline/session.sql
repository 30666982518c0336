-- Sessions, their history, and codes that bring a session to a browser.

create table user_session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  status smallint not null check (status between 1 and 8),
  -- It takes a slot of its tag. Each slot of an account has at most one active session of this kind.
  is_exclusive boolean not null,
  -- The kind of device that the login named. Empty: the installation has no tags.
  tag text not null default '',
  slot smallint not null default 0,
  version integer not null default 1,
  -- The nonces of refresh tokens (packages/auth-core explains them).
  refresh_current bytea not null,
  refresh_next bytea not null,
  -- Nonces that were overtaken within the grace period, oldest first, and when.
  refresh_overtaken bytea[] not null default '{}',
  refresh_overtaken_at timestamptz[] not null default '{}',
  sso_provider text,
  device_name text,
  user_agent text,
  ip_address inet,
  content_definition_id uuid,
  created_at timestamptz not null default now(),
  -- The last ping, refresh or login. Only pings tell who is online.
  last_seen_at timestamptz not null default now(),
  last_pinged_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  -- When the next nonce was first given out. Null: not yet.
  refresh_next_at timestamptz,
  -- The account's password_version at the login. Null: the session may never become active again after it has ended,
  -- because a copy of its refresh token was used.
  password_version integer,
  -- When the owner of a browser's session last proved who they are, which dangerous actions require.
  confirmed_at timestamptz,
  -- The session at the identity provider (`sid` of its ID token), by which the provider logs it out.
  sso_sid text,
  -- A digest of the issuer and subject of the sign-on. With it, the provider can also log out a session that was kept
  -- when its identity was unlinked.
  sso_identity_digest bytea,
  -- When and how the owner was authenticated at the login, and at a later confirmation. The time is null if the
  -- identity provider did not say it.
  authenticated_at timestamptz,
  authenticated_by text[],
  confirmed_by text[],
  -- The passkey that opened the session. It may have been removed since.
  passkey_id uuid,
  constraint user_session_ended check ((ended_at is null) = (status in (1, 2, 5))),
  constraint user_session_authenticated_by
    check (authenticated_by <@ array['password', 'second-factor', 'passkey', 'sign-on', 'mail-code']),
  constraint user_session_confirmed_by
    check (confirmed_by <@ array['password', 'second-factor', 'passkey', 'sign-on'])
);

create unique index user_session_one_active on user_session (account_id, tag, slot)
  where ended_at is null and is_exclusive;
create index user_session_active on user_session (account_id) where ended_at is null;
create index user_session_account on user_session (account_id, created_at desc);
create index user_session_idle on user_session (last_seen_at) where ended_at is null;
create index user_session_expiry on user_session (expires_at) where ended_at is null;
create index user_session_ended on user_session (ended_at) where ended_at is not null;
create index user_session_sso_sid on user_session (sso_provider, sso_sid) where sso_sid is not null and ended_at is null;
create index user_session_sso_identity on user_session (sso_identity_digest)
  where sso_identity_digest is not null and ended_at is null;
-- The console's list of sessions, newest first: for each filter an index whose second column is the list's order.
create index user_session_status on user_session (status, id);
create index user_session_of_account on user_session (account_id, id);
create index user_session_content on user_session (content_definition_id, id)
  where content_definition_id is not null;
-- Who watches something now: most sessions that ever did have ended.
create index user_session_watching on user_session (content_definition_id, id)
  where content_definition_id is not null and ended_at is null;
-- Also for networks, which are ranges of this index.
create index user_session_address on user_session (ip_address, id) where ip_address is not null;
create index user_session_provider on user_session (sso_provider, id) where sso_provider is not null;
create index user_session_device on user_session (device_name, id) where device_name is not null;
create index user_session_tag on user_session (tag, id) where tag <> '';
create index user_session_end_reason on user_session (end_reason, id) where end_reason is not null;
-- Who is online: few of all sessions, and not in the list's order.
create index user_session_pinged on user_session (last_pinged_at) where ended_at is null;

-- Sessions whose copy in Redis must be written again: filled in the transaction of the change, and emptied by the
-- process that wrote the copy.
create table live_session_outbox (
  id bigint generated always as identity primary key,
  session_id uuid not null,
  created_at timestamptz not null default now()
);

-- The history: every change of every session. Readers follow it by (xact, seq), up to the oldest transaction that is
-- still running, so that they do not skip a row that is committed late.
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
create index session_event_account on session_event (account_id, seq);
create index session_event_changed_by on session_event (changed_by) where changed_by <> account_id;

create trigger session_event_append_only before update or truncate on session_event
  for each statement execute function refuse_change();
create trigger session_event_kept before delete on session_event
  for each statement execute function refuse_removal();
-- Portal opens no sessions and revives none. Otherwise services that follow the history would accept the tokens of an
-- ended session again.
create trigger session_event_active before insert on session_event for each row
  when (new.status in (1, 2, 5))
  execute function refuse_portal();

-- Deletes sessions that ended more than keep_days ago, oldest first, and returns how many. A session whose last change
-- has not reached Redis remains, because its copy could not be written without the row.
create function forget_sessions(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  delete from public.user_session
  where id in (
    select s.id
    from public.user_session s
    where s.ended_at < now() - make_interval(days => greatest(keep_days, 90))
      and not exists (select from public.live_session_outbox o where o.session_id = s.id)
    order by s.ended_at
    limit least(max_rows, 10000)
    for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Deletes old changes of sessions, in their order, so that the last change of a session is deleted last, and returns
-- how many. Readers need the end of a session as long as its access tokens live, which is a day at most.
create function forget_session_events(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  perform set_config('gatehouse.announced', 'DELETE session_event', true);
  delete from public.session_event
  where seq in (
    select e.seq
    from public.session_event e
    where e.seq <= (
        select max(f.seq)
        from (select seq from public.session_event order by seq limit least(max_rows, 10000)) f
      )
      and e.changed_at < now() - make_interval(days => greatest(keep_days, 7))
      and e.token_expires_at < now()
    for update skip locked
  );
  get diagnostics deleted = row_count;
  perform set_config('gatehouse.announced', '', true);
  return deleted;
end $$;

-- Logins whose proof was complete, but which found every slot taken, by the hash of their `TakeOverToken`. The token
-- stands for that proof.
create table session_take_over (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  -- The account's password_version then. If it changes, the login must begin again.
  password_version integer not null,
  tag text not null,
  device_name text,
  -- The proof, as in the session that the token opens.
  authenticated_by text[] not null,
  authenticated_at timestamptz,
  passkey_id uuid,
  expires_at timestamptz not null
);
create index session_take_over_account on session_take_over (account_id);
create index session_take_over_expires on session_take_over (expires_at);

-- Codes with which an app hands its session over to the account pages, stored as hashes and valid for a minute. A used
-- code stays until it is cleaned up, with expires_at '-infinity', so that its second use can be told from a guess.
create table handover_code (
  code_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  session_id uuid not null references user_session on delete cascade,
  expires_at timestamptz not null,
  -- When the cookie expires: with the access token that asked for the hand-over. Null: with the session.
  ends_at timestamptz,
  -- The S256 challenge (RFC 7636) of an app's server, which must show the verifier. Null: none is required.
  code_challenge text
);
create index handover_code_account on handover_code (account_id);
create index handover_code_session on handover_code (session_id);
create index handover_code_expires on handover_code (expires_at);

-- The same for the console, and codes that confirm the owner of a session there. Only Admin creates and accepts them, so
-- that no other service can let anybody in.
create table console_code (
  code_hash bytea primary key,
  purpose text not null check (purpose in ('hand-over', 'confirmation')),
  account_id uuid not null references account on delete cascade,
  -- Null: a confirmation counts in any session of its owner.
  session_id uuid references user_session on delete cascade,
  expires_at timestamptz not null,
  ends_at timestamptz,
  constraint console_code_session check ((purpose = 'confirmation') = (session_id is null))
);
create index console_code_account on console_code (account_id);
create index console_code_session on console_code (session_id);
create index console_code_expires on console_code (expires_at);
