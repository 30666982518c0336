-- A code, and what it opens, keep the proof of identity on which they were given, and when the cookie ends that asked for
-- them. No methods: version 1.0.0 wrote the row, and the proof is the login of its session. No end: that of the session.
alter table oauth_code
  add column authenticated_at timestamptz,
  add column authenticated_by text[],
  add column ends_at timestamptz;
alter table client_session
  add column authenticated_at timestamptz,
  add column authenticated_by text[],
  add column ends_at timestamptz;
create index client_session_ends on client_session (ends_at) where ends_at is not null;

-- What the owner of a session has proved again, with which of its credentials, and what for: a dangerous action here, or
-- a sign-in to an application. It counts for that credential alone. (user_session.confirmed_at and confirmed_by are those
-- of version 1.0.0, which counted them for every credential of the session.)
create table session_confirmation (
  session_id uuid not null references user_session on delete cascade,
  -- The credentialNameOf() of packages/auth-core: no secret.
  credential text not null,
  purpose text not null check (purpose in ('action', 'application')),
  confirmed_at timestamptz not null default now(),
  confirmed_by text[] not null check (confirmed_by <@ array['password', 'second-factor', 'passkey', 'sign-on']),
  primary key (session_id, credential, purpose)
);
