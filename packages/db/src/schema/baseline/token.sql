-- Static API tokens.

create table api_token (
  id uuid primary key,
  name text not null,
  -- The beginning of the token, to tell tokens apart.
  prefix text not null,
  -- A keyed hash (HMAC-SHA-256). The token itself is not stored.
  token_hash bytea not null,
  role text not null check (role in ('Service', 'Feed', 'Admin')),
  created_at timestamptz not null default now(),
  -- An account or a static token, or null for the installation itself. No foreign key, because it remains when that is
  -- deleted.
  created_by uuid,
  last_used_at timestamptz,
  -- Revoked tokens are kept, because the audit, invitations and accesses refer to them.
  revoked_at timestamptz,
  expires_at timestamptz,
  -- The CIDR ranges from which it works. Null: from anywhere.
  networks text[],
  last_used_ip inet,
  -- The token that was created to replace it. Both work for a while.
  replaced_by uuid,
  constraint api_token_hash unique (token_hash)
);
create index api_token_creator on api_token (created_by, id) where created_by is not null;
