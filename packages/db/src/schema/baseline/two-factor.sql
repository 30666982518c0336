-- Authenticator apps, recovery codes, and logins that wait for one of them.

create table two_factor (
  account_id uuid primary key references account on delete cascade,
  -- The app's secret, encrypted and bound to the account.
  secret_sealed bytea not null,
  -- Null while it is being set up, until the first code is entered.
  enabled_at timestamptz,
  -- The time step (RFC 6238) of the latest accepted code; only later ones are accepted.
  last_used_step integer not null default 0,
  created_at timestamptz not null default now(),
  -- The account's password_version when the set-up began. If it changes, the set-up must begin again.
  password_version integer not null
);
create index two_factor_enabled on two_factor (account_id) where enabled_at is not null;

-- Recovery codes replace the authenticator app as well as passkeys, so they belong to the account.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

create trigger two_factor_removal before delete on two_factor for each row
  execute function refuse_portal_beyond_guests();
create trigger recovery_code_removal before delete on recovery_code for each row
  execute function refuse_portal_beyond_guests();

-- Logins whose password or mailed code was right, by their `TwoFactorToken`.
create table two_factor_challenge (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  -- How the first step was proved.
  first_factor text not null check (first_factor in ('password', 'mail-code')),
  -- The account's password_version then. If it changes, the login must begin again.
  password_version integer not null,
  -- The secret that this login sets up. Null: the account has an authenticator, whose code is required.
  secret_sealed bytea,
  device_name text,
  -- The tag that the login asked for. Null: it asked for none.
  session_tag text,
  tries_left smallint not null,
  expires_at timestamptz not null
);
create index two_factor_challenge_account on two_factor_challenge (account_id);
create index two_factor_challenge_expiry on two_factor_challenge (expires_at);
