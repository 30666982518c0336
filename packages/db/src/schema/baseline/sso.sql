-- Single sign-on: identities at identity providers, and sign-ons.

-- The identity of an account at an identity provider.
create table sso_identity (
  -- A subject is unique only within its issuer (OpenID Connect Core §8).
  issuer text not null,
  subject text not null,
  account_id uuid not null references account on delete cascade,
  linked_at timestamptz not null default now(),
  -- Identifies the link in the API. An identity that was linked again has another number.
  number bigint generated always as identity,
  -- The provider that was used for linking.
  provider text not null,
  primary key (issuer, subject)
);
-- An account has one identity per issuer: if an issuer gives an email to somebody else, they cannot open the account.
create unique index sso_identity_account on sso_identity (account_id, issuer);

-- Sign-ons that came back from the provider, until they would have expired, so that none comes back twice.
create table sso_attempt (
  digest bytea primary key,
  expires_at timestamptz not null
);
create index sso_attempt_expiry on sso_attempt (expires_at);

-- Finished sign-ons whose code was not exchanged yet, by the hash of the code. The session opens at the exchange. A used
-- code stays until it is cleaned up, like a hand-over's.
create table sign_on_code (
  code_hash bytea primary key,
  -- What began the sign-on: an app, an account page or the console.
  purpose text not null check (purpose in ('app', 'pages', 'console')),
  account_id uuid not null references account on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  -- The session at the provider, if it sent one.
  sid text,
  trusts_second_factor boolean not null,
  -- Null: the provider did not say when it authenticated the user.
  authenticated_at timestamptz,
  -- When the sign-on would have expired, and so also when it began: logouts at the provider since then count.
  attempt_expires_at timestamptz not null,
  -- The S256 challenge (RFC 7636) whose verifier an app must show.
  code_challenge text check ((purpose = 'app') = (code_challenge is not null)),
  ip_address inet,
  user_agent text,
  -- The tag that the sign-on asked for. Null: it asked for none.
  session_tag text,
  -- After the code was exchanged and every slot was taken: the hash of the token that takes one over, and the account's
  -- password_version then. The row expires with that token.
  take_over_hash bytea unique,
  password_version integer,
  expires_at timestamptz not null,
  constraint sign_on_code_take_over check ((take_over_hash is null) = (password_version is null))
);
create index sign_on_code_account on sign_on_code (account_id);
create index sign_on_code_expires on sign_on_code (expires_at);

-- Identities that owners are about to link. A row begins with a ticket, by which the sign-on recognises the session.
-- Once the provider has said who came back, it has a code, which works only in that session. Both are stored as hashes.
create table identity_link (
  ticket_hash bytea primary key,
  provider text not null,
  account_id uuid not null references account on delete cascade,
  session_id uuid not null references user_session on delete cascade,
  code_hash bytea unique,
  issuer text,
  subject text,
  expires_at timestamptz not null,
  constraint identity_link_proof check (num_nulls(code_hash, issuer, subject) in (0, 3))
);
create index identity_link_account on identity_link (account_id);
create index identity_link_session on identity_link (session_id);
create index identity_link_expires on identity_link (expires_at);
