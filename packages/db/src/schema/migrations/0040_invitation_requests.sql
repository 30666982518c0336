-- Who asked to be mailed their invitation again, whether or not the email has one. A table of its own beside
-- reset_request, whose rows Portal has no part in; the same statements serve both.
create table invitation_request (
  id uuid primary key,
  email_key text not null,
  purpose text not null default 'invitation' check (purpose = 'invitation'),
  trace_id text not null,
  created_at timestamptz not null default now(),
  -- When it is due, or due again; a process that takes it moves this on for the time it needs.
  due_at timestamptz not null default now()
);
create index invitation_request_due on invitation_request (due_at);
create index invitation_request_email on invitation_request (email_key);
