-- The provider by which an identity was linked; null where the release before linked it.
alter table sso_identity add column provider text;

-- Identities that owners are about to link. A row begins with a ticket, by which the sign-on of its session is known, and is
-- proved once the provider has said who came back: by a code, which counts in that session alone. Both are kept as hashes.
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
