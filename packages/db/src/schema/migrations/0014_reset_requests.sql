-- Who asked for a code that sets a new password, whether or not the email has an account: the answer does not wait for
-- the work, so that its time tells nothing, and what it has promised is here until it is done.
create table reset_request (
  id uuid primary key,
  email_key text not null,
  trace_id text not null,
  created_at timestamptz not null default now(),
  -- When it is due, or due again; a process that takes it moves this on for the time it needs.
  due_at timestamptz not null default now()
);
create index reset_request_due on reset_request (due_at);
create index reset_request_email on reset_request (email_key);
