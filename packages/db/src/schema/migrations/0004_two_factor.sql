-- Second factors: authenticator apps, recovery codes, and logins that wait for one of them.

create table two_factor (
  account_id uuid primary key references account on delete cascade,
  -- The app's secret under the services' key, bound to the account.
  secret_sealed bytea not null,
  -- Null while it is being set up, that is until a first code was shown.
  enabled_at timestamptz,
  -- The time step (RFC 6238) of the latest code that was taken: only later ones are.
  last_used_step integer not null default 0,
  created_at timestamptz not null default now()
);

-- They go with the authenticator that they stand in for.
create table recovery_code (
  account_id uuid not null references two_factor on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

-- A login whose password was right: what its `TwoFactorToken` stands for.
create table two_factor_challenge (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  -- Of the password that was shown: with another one the login must begin anew.
  password_version integer not null,
  -- The secret that this login sets up; null where the account has one and a code of it is asked for.
  secret_sealed bytea,
  device_name text,
  tries_left smallint not null,
  expires_at timestamptz not null
);
create index two_factor_challenge_account on two_factor_challenge (account_id);
create index two_factor_challenge_expiry on two_factor_challenge (expires_at);
