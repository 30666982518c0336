-- Applications that sign people in through Gatehouse by OpenID Connect, and who is signed in to them.

create table oauth_client (
  -- The client_id. Version 7.
  id uuid primary key,
  name text not null,
  -- It cannot keep a secret: an app on a device or in a browser.
  is_public boolean not null,
  -- A keyed hash (HMAC-SHA-256). The secret itself is not stored.
  secret_hash bytea unique,
  -- The secret before the latest rotation, which works for a while.
  previous_secret_hash bytea,
  previous_secret_expires_at timestamptz,
  redirect_uris text[] not null,
  post_logout_redirect_uris text[] not null default '{}',
  backchannel_logout_uri text,
  scopes text[] not null,
  grant_types text[] not null,
  -- Its users are not asked for consent.
  is_trusted boolean not null default false,
  -- Who may sign in: the roles, and the groups of which one is enough. No groups: everybody with such a role.
  roles text[] not null,
  groups text[] not null default '{}',
  requires_pkce boolean not null default true,
  id_token_alg text not null default 'RS256',
  -- The tag of sessions that a sign-in to it opens. Null: as for the account pages.
  session_tag text,
  -- The audiences of access tokens that it may ask for (RFC 8707), besides itself.
  resources text[] not null default '{}',
  -- It is declared in a file of the installation, and only changed there.
  is_declared boolean not null default false,
  created_at timestamptz not null default now(),
  constraint oauth_client_secret check (is_public = (secret_hash is null)),
  constraint oauth_client_previous_secret
    check ((previous_secret_hash is null) = (previous_secret_expires_at is null)),
  -- A public client must prove that it asked for the code that it brings.
  constraint oauth_client_pkce check (requires_pkce or not is_public),
  constraint oauth_client_grant_types
    check (grant_types <@ array['authorization_code', 'refresh_token', 'client_credentials']),
  constraint oauth_client_credentials check (not (is_public and 'client_credentials' = any(grant_types))),
  constraint oauth_client_roles check (roles <@ array['User', 'Guest', 'Admin']),
  constraint oauth_client_id_token_alg check (id_token_alg in ('RS256', 'ES256')),
  constraint oauth_client_bounds check (
    cardinality(redirect_uris) <= 20 and cardinality(post_logout_redirect_uris) <= 20 and cardinality(scopes) <= 50
    and cardinality(groups) <= 50 and cardinality(resources) <= 20)
);

-- Authorization codes, stored as hashes and valid for a minute. A used code stays for a while, so that its second use
-- can be told from a guess.
create table oauth_code (
  code_hash bytea primary key,
  client_id uuid not null references oauth_client on delete cascade,
  account_id uuid not null references account on delete cascade,
  session_id uuid not null references user_session on delete cascade,
  redirect_uri text not null,
  -- The S256 challenge (RFC 7636). Null: the client need not send one, and did not.
  code_challenge text,
  nonce text,
  scopes text[] not null,
  resource text,
  expires_at timestamptz not null,
  -- What it opened. Null: it was not used. No foreign key, because a used code stays used.
  client_session_id uuid
);
create index oauth_code_client on oauth_code (client_id);
create index oauth_code_account on oauth_code (account_id);
create index oauth_code_session on oauth_code (session_id);
create index oauth_code_expires on oauth_code (expires_at);

-- What a code opened: an application's part of a session, with refresh tokens of its own. It lives as long as its row,
-- its session, and the client's permission for this person.
create table client_session (
  id uuid primary key,
  client_id uuid not null references oauth_client on delete cascade,
  account_id uuid not null references account on delete cascade,
  session_id uuid not null references user_session on delete cascade,
  scopes text[] not null,
  resource text,
  -- The nonces of refresh tokens, as in user_session.
  refresh_current bytea not null,
  refresh_next bytea not null,
  refresh_next_at timestamptz,
  refresh_overtaken bytea[] not null default '{}',
  refresh_overtaken_at timestamptz[] not null default '{}',
  created_at timestamptz not null default now(),
  -- The last refresh.
  last_seen_at timestamptz not null default now()
);
create index client_session_client on client_session (client_id, id);
create index client_session_account on client_session (account_id, client_id);
create index client_session_session on client_session (session_id, client_id);

-- What a person has allowed a client that is not trusted.
create table oauth_consent (
  account_id uuid not null references account on delete cascade,
  client_id uuid not null references oauth_client on delete cascade,
  scopes text[] not null,
  granted_at timestamptz not null default now(),
  primary key (account_id, client_id)
);
create index oauth_consent_client on oauth_consent (client_id);
