-- The code that opens a guest's first session is bound to the acceptance of an invitation in the same transaction. Portal
-- accepts invitations, so it may insert here; but if it is taken over, it must not open a session of a guest who has
-- accepted before. The newest code replaces others, and lives for a minute at most.
create function bind_guest_login() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (
    select from public.account a
    join public.invitation i on i.account_id = a.id
    where a.id = new.account_id and a.role = 'Guest' and a.signup = 'complete' and a.password_hash is null
      -- Portal can set this only while a guest waits for an invitation.
      and a.email_verified_at = now() and i.accepted_at = now()
  ) then
    raise exception 'permission denied to log in a guest who has not just accepted an invitation'
      using errcode = 'insufficient_privilege';
  end if;
  delete from public.guest_login where account_id = new.account_id;
  new.expires_at := least(new.expires_at, now() + interval '1 minute');
  return new;
end $$;
create trigger guest_login_binding before insert on guest_login for each row execute function bind_guest_login();
