-- Change of email, mails to addresses without an account, and quicker look-ups of active sessions.

-- The address that a code was mailed to where it is not the account's own: the one that the code proves.
alter table account_code
  add column email text,
  add constraint account_code_email check ((email is not null) = (purpose = 'change-email'));

-- How many mails of a kind an address got in the running hour, whoever caused them.
create table address_mail_quota (
  email_key text not null,
  kind text not null,
  window_started_at timestamptz not null default now(),
  sent integer not null default 1,
  primary key (email_key, kind)
);
create index address_mail_quota_window on address_mail_quota (window_started_at);

create index user_session_active on user_session (account_id) where ended_at is null;
