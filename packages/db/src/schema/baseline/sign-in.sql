-- Sign-ins, also refused ones (docs/sign-ins.md). The audit and the history of sessions are complete; this table may
-- lack rows, because no login waits for it.

create table sign_in (
  -- Version 7, so in the order of time.
  id uuid primary key,
  at timestamptz not null,
  -- Null if the attempt was for no account. What was typed is not stored: people type passwords into the wrong field.
  account_id uuid references account on delete cascade,
  -- How it was tried; null in a row that counts several attempts, and for a token that should take over a session.
  method text check (method in ('Password', 'MailCode', 'Passkey', 'SignOn')),
  -- The identity provider of a sign-on.
  provider text,
  result text not null check (result in ('Succeeded', 'Refused', 'SecondFactorAsked')),
  -- Why it was refused.
  reason text,
  ip_address inet,
  user_agent text,
  trace_id text,
  -- More than one in a row that stands for the attempts of an address beyond the limit of a minute.
  count integer not null default 1 check (count > 0),
  constraint sign_in_reason check ((reason is not null) = (result = 'Refused'))
);

create index sign_in_at on sign_in (at);
-- The filters of administrators, newest first. The first one also serves the owner, and the erasure.
create index sign_in_account on sign_in (account_id, id desc) where account_id is not null;
create index sign_in_address on sign_in (ip_address, id desc) where ip_address is not null;
create index sign_in_trace on sign_in (trace_id, id desc) where trace_id is not null;
create index sign_in_refusal on sign_in (reason, id desc) where reason is not null;
create index sign_in_provider on sign_in (provider, id desc) where provider is not null;
create index sign_in_result on sign_in (result, id desc);

-- Deletes old sign-ins, but none of the last day, and returns how many.
create function forget_sign_ins(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  delete from public.sign_in
  where id in (
    select s.id
    from public.sign_in s
    where s.at < now() - make_interval(days => greatest(keep_days, 1))
    order by s.at
    limit least(max_rows, 10000)
    for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end $$;
