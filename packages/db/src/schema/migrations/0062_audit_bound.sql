-- How long the audit is kept at least, whatever Admin asks for (docs/operations.md): whoever migrates says so, and no service.
create table audit_bound (
  is_only boolean primary key default true check (is_only),
  -- 0: for ever.
  keep_days integer not null check (keep_days = 0 or keep_days >= 90)
);
insert into audit_bound (keep_days) values (90);

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
