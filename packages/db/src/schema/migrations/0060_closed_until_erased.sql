-- An account that is to be erased stays disabled until it is, or until that is taken back (docs/erasure.md): who enables it
-- holds its row, and sees here what was noted before.
create function refuse_enabling() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if exists (
    select from public.erasure e where e.account_id = new.id and e.restored_at is null and e.erased_at is null
  ) then
    raise exception 'permission denied to enable an account that is to be erased'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
revoke all on function refuse_enabling() from public;
create trigger account_closed before update of is_disabled on account for each row
  when (old.is_disabled and not new.is_disabled)
  execute function refuse_enabling();
