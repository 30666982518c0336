-- A mail that was on its way to the worker may be written down while its account is being erased, and not after: a statement
-- takes seconds at most, and an erasure a little over a minute. So each erased account is looked at for its first seconds, and
-- once when nothing can follow any more, however many were erased before.

create table late_mail_check (
  account_id uuid not null,
  erased_at timestamptz not null
);
create index late_mail_check_erased on late_mail_check (erased_at);

create function note_late_mail_check() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into public.late_mail_check (account_id, erased_at) values (new.account_id, clock_timestamp());
  return null;
end $$;
revoke all on function note_late_mail_check() from public;
create trigger erasure_late_mails after update of erased_at on erasure for each row
  when (old.erased_at is null and new.erased_at is not null)
  execute function note_late_mail_check();

insert into late_mail_check (account_id, erased_at)
select account_id, erased_at from erasure where erased_at > now() - interval '1 day';

-- Removes what the worker wrote down of mails to accounts that were erased meanwhile, of some thousand accounts at a time.
-- Returns how many.
create or replace function forget_late_mails() returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  checked uuid[];
  removed bigint;
begin
  with settled as (
    delete from public.late_mail_check c
    where c.ctid = any(array(
      select b.ctid from public.late_mail_check b
      where b.erased_at < now() - interval '2 minutes'
      order by b.erased_at
      limit 5000
      for update skip locked))
    returning c.account_id
  )
  select array_agg(t.account_id) into checked
  from (
    select s.account_id from settled s
    union all
    (
      select c.account_id from public.late_mail_check c
      where c.erased_at > now() - interval '30 seconds'
      order by c.erased_at desc
      limit 5000
    )
  ) t;
  if checked is null then
    return 0;
  end if;
  delete from public.mail_delivery d where d.account_id = any(checked) and d.kind <> 'account-erased';
  get diagnostics removed = row_count;
  return removed;
end $$;
