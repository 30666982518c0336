-- Passkeys (WebAuthn): password and second factor in one.

-- Random bytes under which authenticators know an account; made with its first passkey.
alter table account add column webauthn_user_handle bytea unique;

create table passkey (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  credential_id bytea not null unique,
  -- A COSE key (RFC 9052), and its algorithm.
  public_key bytea not null,
  algorithm integer not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  -- The kind of authenticator, where it tells.
  aaguid uuid,
  -- Whether it may be copied to other devices of its owner; never changes. And whether it has been.
  is_backup_eligible boolean not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id);

-- What a browser was given to sign. It works once.
create table webauthn_challenge (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'login', 'second-factor', 'confirm')),
  -- Null at a login, which says nothing of any account.
  account_id uuid references account on delete cascade,
  challenge bytea not null,
  -- With another password it is void; null where none was shown.
  password_version integer,
  expires_at timestamptz not null
);
create index webauthn_challenge_account on webauthn_challenge (account_id);
create index webauthn_challenge_expiry on webauthn_challenge (expires_at);

-- Recovery codes stand in for passkeys, too: they belong to the account, not to its authenticator app.
alter table recovery_code
  drop constraint recovery_code_account_id_fkey,
  add foreign key (account_id) references account on delete cascade;
