-- What is kept for a time (docs/operations.md) goes by functions of the owner's alone: each deletes rows that are older
-- than it is told and than its own least time, and nothing else. No service may delete from these tables.

create index user_session_ended on user_session (ended_at) where ended_at is not null;

-- Lets pass what the owner's functions announce, in their own transaction and by operation and table. Anybody may make
-- that announcement; who runs as the owner can only be such a function, or the owner in person.
create or replace function refuse_change() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if current_setting('gatehouse.announced', true) = tg_op || ' ' || tg_table_name
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = tg_relid)
  then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Sessions that ended more than `keep_days` ago, the oldest first. One whose last change has not reached Redis stays:
-- without the row nobody could write its copy any more.
create function forget_sessions(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  delete from public.user_session
  where id in (
    select s.id
    from public.user_session s
    where s.ended_at < now() - make_interval(days => greatest(keep_days, 90))
      and not exists (select from public.live_session_outbox o where o.session_id = s.id)
    order by s.ended_at
    limit least(max_rows, 10000)
    for update skip locked
  );
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Changes of sessions. They are deleted from the first one on, so that no change outlives one that came after it: of a
-- session whatever is left ends with what holds. Readers need an ending for as long as the session's access tokens live,
-- at most a day.
create function forget_session_events(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  perform set_config('gatehouse.announced', 'DELETE session_event', true);
  delete from public.session_event
  where seq in (
    select e.seq
    from public.session_event e
    where e.seq <= (
        select max(f.seq)
        from (select seq from public.session_event order by seq limit least(max_rows, 10000)) f
      )
      and e.changed_at < now() - make_interval(days => greatest(keep_days, 7))
      and e.token_expires_at < now()
    for update skip locked
  );
  get diagnostics deleted = row_count;
  perform set_config('gatehouse.announced', '', true);
  return deleted;
end $$;

-- Entries of the audit. Identifiers of version 7 begin with 48 bits of milliseconds since the epoch (RFC 9562 section 5.7),
-- which the primary key serves; the time of the database decides.
create function forget_audit(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  since timestamptz := now() - make_interval(days => greatest(keep_days, 90));
  least_id uuid := cast(
    rpad(lpad(to_hex(cast(extract(epoch from since) * 1000 as bigint)), 12, '0'), 32, '0') as uuid);
  deleted int;
begin
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

revoke all on function forget_sessions(int, int), forget_session_events(int, int), forget_audit(int, int) from public;
