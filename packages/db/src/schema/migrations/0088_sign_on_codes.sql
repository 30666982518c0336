-- A sign-on at an identity provider, until the page or app that began it exchanges its code: only then a session opens.
create table sign_on_code (
  code_hash bytea primary key,
  purpose text not null check (purpose in ('app', 'pages', 'console')),
  account_id uuid not null references account on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  -- The provider's own session id, if it sent one.
  sid text,
  trusts_second_factor boolean not null,
  -- Null: the provider did not say when it authenticated the user.
  authenticated_at timestamptz,
  -- When the sign-on would have expired: later logouts at the provider than its beginning are found by it.
  attempt_expires_at timestamptz not null,
  -- The S256 challenge (RFC 7636) whose verifier an app must show.
  code_challenge text check ((purpose = 'app') = (code_challenge is not null)),
  ip_address inet,
  user_agent text,
  expires_at timestamptz not null
);
create index sign_on_code_account on sign_on_code (account_id);
create index sign_on_code_expires on sign_on_code (expires_at);

-- Codes after a sign-on have a table of their own now.
alter table handover_code drop column is_handed_over;
delete from console_code where purpose = 'sign-on';
alter table console_code drop constraint console_code_purpose_check;
alter table console_code add constraint console_code_purpose_check check (purpose in ('hand-over', 'confirmation'));
