-- Codes that give another browser the session of an app, each kept as its hash for a minute. A used one stays until it is
-- swept, at '-infinity', so that whoever comes late with it is told from somebody who guesses.
create table handover_code (
  code_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  session_id uuid not null references user_session on delete cascade,
  expires_at timestamptz not null
);
create index handover_code_account on handover_code (account_id);
create index handover_code_session on handover_code (session_id);
create index handover_code_expires on handover_code (expires_at);
