-- Codes that bring an administrator's browser to the console, each kept as its hash for a minute: an app hands its session
-- over, a sign-on has opened one, or has confirmed who the owner of one is. They are Admin's alone, which makes them and takes
-- them: whoever has another service's role can put none here. A used one stays until it is swept, at '-infinity'.
create table console_code (
  code_hash bytea primary key,
  purpose text not null check (purpose in ('hand-over', 'sign-on', 'confirmation')),
  account_id uuid not null references account on delete cascade,
  -- Null: a confirmation counts for whichever session its owner shows it in.
  session_id uuid references user_session on delete cascade,
  expires_at timestamptz not null,
  constraint console_code_session check ((purpose = 'confirmation') = (session_id is null))
);
create index console_code_account on console_code (account_id);
create index console_code_session on console_code (session_id);
create index console_code_expires on console_code (expires_at);
