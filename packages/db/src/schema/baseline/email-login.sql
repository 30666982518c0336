-- Logins with a mailed code, and the first session of a guest without a password.

-- Codes that were mailed for logging in. Several live side by side, each for the browsers that it answers.
create table login_code (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  tries_left smallint not null,
  -- The number of wrong tries from each address (IPv6: each /64). tries_left bounds how many addresses there are.
  tries jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index login_code_account on login_code (account_id);
create index login_code_expiry on login_code (expires_at);

-- The requests that a code answers, by the hash of the `RequestToken`. A code works only together with one of them.
create table login_code_request (
  request_hash bytea primary key,
  code_id uuid not null references login_code on delete cascade
);
create index login_code_request_code on login_code_request (code_id);

-- Guests who have accepted their invitation without a password, by the hash of the code with which their browser opens
-- the first session.
create table guest_login (
  code_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  expires_at timestamptz not null
);
create index guest_login_account on guest_login (account_id);
create index guest_login_expiry on guest_login (expires_at);
