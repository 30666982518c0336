-- These functions delete a batch of old rows. `in (select … limit n for update skip locked)` may run its subquery once for
-- each row, as long as a table has no statistics: it then locks and deletes more than a batch, and takes too long. A
-- subquery in an array runs once.

create or replace function forget_sessions(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  delete from public.user_session
  where id = any(array(
    select s.id
    from public.user_session s
    where s.ended_at < now() - make_interval(days => greatest(keep_days, 90))
      and not exists (select from public.live_session_outbox o where o.session_id = s.id)
    order by s.ended_at
    limit least(max_rows, 10000)
    for update skip locked
  ));
  get diagnostics deleted = row_count;
  return deleted;
end $$;

create or replace function forget_session_events(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  perform set_config('gatehouse.announced', 'DELETE session_event', true);
  delete from public.session_event
  where seq = any(array(
    select e.seq
    from public.session_event e
    where e.seq <= (
        select max(f.seq)
        from (select seq from public.session_event order by seq limit least(max_rows, 10000)) f
      )
      and e.changed_at < now() - make_interval(days => greatest(keep_days, 7))
      and e.token_expires_at < now()
    for update skip locked
  ));
  get diagnostics deleted = row_count;
  perform set_config('gatehouse.announced', '', true);
  return deleted;
end $$;

create or replace function forget_audit(keep_days int, max_rows int) returns int
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
  where id = any(array(
    select a.id
    from public.audit a
    where a.id < least_id and a.at < since
    order by a.id
    limit least(max_rows, 10000)
    for update skip locked
  ));
  get diagnostics deleted = row_count;
  perform set_config('gatehouse.announced', '', true);
  return deleted;
end $$;

create or replace function forget_sign_ins(keep_days int, max_rows int) returns int
  language plpgsql volatile strict security definer set search_path = pg_catalog as $$
declare
  deleted int;
begin
  delete from public.sign_in
  where id = any(array(
    select s.id
    from public.sign_in s
    where s.at < now() - make_interval(days => greatest(keep_days, 1))
    order by s.at
    limit least(max_rows, 10000)
    for update skip locked
  ));
  get diagnostics deleted = row_count;
  return deleted;
end $$;
