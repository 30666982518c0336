-- Passkeys (WebAuthn), which are password and second factor in one.

create table passkey (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  credential_id bytea not null unique,
  -- A COSE key (RFC 9052), and its algorithm.
  public_key bytea not null,
  algorithm integer not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  -- The model of the authenticator, if it says so.
  aaguid uuid,
  -- Whether the passkey can be copied to other devices of its owner, which never changes, and whether it has been.
  is_backup_eligible boolean not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id);

create trigger passkey_removal before delete on passkey for each row
  execute function refuse_portal_beyond_guests();

-- Challenges for browsers to sign. Each works once.
create table webauthn_challenge (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'login', 'second-factor', 'confirm')),
  -- Null at a login, which does not name an account.
  account_id uuid references account on delete cascade,
  challenge bytea not null,
  -- The account's password_version then; if it changes, the challenge is void. Null if no password was checked.
  password_version integer,
  expires_at timestamptz not null
);
create index webauthn_challenge_account on webauthn_challenge (account_id);
create index webauthn_challenge_expiry on webauthn_challenge (expires_at);
