-- Codes that prove an email live side by side, wrong tries of a code are counted by address, and a registration that
-- somebody else repeats with another password is contested.

-- How often a code was mistyped from each address (IPv6 by /64): `tries_left` bounds how many are in there.
alter table account_code add column tries jsonb not null default '{}';

-- The newest code of a purpose is in `account_code`. Those that verify an email and were mailed before it go on working
-- here, until one of them all is used.
create table earlier_verify_code (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  tries_left smallint not null,
  tries jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index earlier_verify_code_account on earlier_verify_code (account_id);

-- Two passwords were given for it before its email was verified: neither of them may ever open it.
alter table account add column is_contested boolean not null default false;
