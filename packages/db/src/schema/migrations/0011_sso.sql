-- Who somebody is at an identity provider, and the sign-ons that were finished.

create table sso_identity (
  -- What the provider vouches for: the subject is unique within the issuer alone (OpenID Connect Core §8).
  issuer text not null,
  subject text not null,
  account_id uuid not null references account on delete cascade,
  linked_at timestamptz not null default now(),
  primary key (issuer, subject)
);
-- One person of an issuer for an account: an address that the issuer gives to somebody else opens no account.
create unique index sso_identity_account on sso_identity (account_id, issuer);

-- Sign-ons that came back from their provider, until they would have expired: none comes back twice.
create table sso_attempt (
  digest bytea primary key,
  expires_at timestamptz not null
);
create index sso_attempt_expiry on sso_attempt (expires_at);
