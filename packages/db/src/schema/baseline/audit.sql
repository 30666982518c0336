-- The audit, and the triggers that make it and the history of sessions append-only.

-- The transactions in which forget_account runs. Only that function writes here, and it commits no row.
create table forgetting (
  transaction_id xid8 primary key
);

-- Refuses changes, except those of forget_account and forget_part.
create function refuse_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if tg_op = 'UPDATE'
    and exists (select from public.forgetting f where f.transaction_id = pg_current_xact_id())
  then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Refuses deletions, except those of the functions that delete old rows. They announce the operation and table in a
-- setting of their transaction. Anybody can set it, but only such a function runs as the owner of the table.
create function refuse_removal() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if current_setting('gatehouse.announced', true) = tg_op || ' ' || tg_table_name
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid)
  then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- What people and static tokens changed.
create table audit (
  -- Version 7, so in the order of time.
  id uuid primary key,
  at timestamptz not null default now(),
  action text not null,
  -- `System`: the installation itself, by its settings or its commands.
  actor_kind text not null check (actor_kind in ('Account', 'ApiToken', 'System')),
  actor_id uuid,
  target_kind text not null,
  target_id uuid,
  ip_address inet,
  trace_id text,
  -- What was changed, in the names of the API; never an email, a token, a code or a password.
  details jsonb not null default '{}',
  constraint audit_actor check ((actor_id is null) = (actor_kind = 'System'))
);

create trigger audit_append_only before update or truncate on audit
  for each statement execute function refuse_change();
create trigger audit_kept before delete on audit
  for each statement execute function refuse_removal();

create index audit_at on audit (at);
-- The filters of administrators, newest first.
create index audit_actor on audit (actor_id, id desc) where actor_id is not null;
create index audit_target on audit (target_id, id desc) where target_id is not null;
create index audit_action on audit (action, id desc);
create index audit_actor_kind on audit (actor_kind, id desc);
create index audit_trace on audit (trace_id, id desc) where trace_id is not null;
create index audit_address on audit (ip_address, id desc) where ip_address is not null;
-- What was done to the sessions, invitations and mails of an account.
create index audit_owner
  on audit ((case when action = 'session.ended' then actor_id::text else details ->> 'UserId' end), id desc)
  where target_kind <> 'Account';

-- How long the audit is kept at least, whatever Admin requests (docs/operations.md). Only `migrate` sets it.
create table audit_bound (
  is_only boolean primary key default true check (is_only),
  -- 0: forever.
  keep_days integer not null check (keep_days = 0 or keep_days >= 90)
);
insert into audit_bound (keep_days) values (90);

-- Deletes old entries and returns how many. An identifier of version 7 begins with the milliseconds since the epoch
-- (RFC 9562 §5.7), so the primary key finds them; `at` decides, because it is the database's time.
create function forget_audit(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  bound int := (select b.keep_days from public.audit_bound b);
  since timestamptz := now() - make_interval(days => greatest(keep_days, bound, 90));
  least_id uuid := cast(
    rpad(lpad(to_hex(cast(extract(epoch from since) * 1000 as bigint)), 12, '0'), 32, '0') as uuid);
  deleted int;
begin
  if bound is null or bound = 0 then
    return 0;
  end if;
  perform set_config('gatehouse.announced', 'DELETE audit', true);
  delete from public.audit
  where id in (
    select a.id
    from public.audit a
    where a.id < least_id and a.at < since
    order by a.id
    limit least(max_rows, 10000)
    for update skip locked
  );
  get diagnostics deleted = row_count;
  perform set_config('gatehouse.announced', '', true);
  return deleted;
end $$;
