-- Static API tokens, and the audit by time.

create table api_token (
  id uuid primary key,
  name text not null,
  -- How the token begins, to tell tokens apart by.
  prefix text not null,
  -- HMAC-SHA-256 under the services' key; the token itself is nowhere.
  token_hash bytea not null,
  role text not null check (role in ('Service', 'Admin')),
  created_at timestamptz not null default now(),
  -- An account or a static token, null for the installation itself; kept when that is gone, so no foreign key.
  created_by uuid,
  last_used_at timestamptz,
  -- Revoked tokens stay: the audit, invitations and accesses name them.
  revoked_at timestamptz,
  constraint api_token_hash unique (token_hash)
);

create index audit_at on audit (at);
