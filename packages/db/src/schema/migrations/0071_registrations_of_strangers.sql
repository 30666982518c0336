-- A password that somebody registered without reading the mails of the address is no longer stored for accounts that
-- wait for their owner, and it is void when the address is invited.

-- Earlier, registering such an account stored the password. Those that were not verified since wait for their owner
-- again, so that every other unverified account was registered by somebody for themselves.
with registered as (
  select a.id, entry.status
  from account a
  cross join lateral (
    select au.details ->> 'LoginStatus' as status
    from audit au
    where au.target_id = a.id and au.action = 'account.registered'
    order by au.id desc
    limit 1
  ) entry
  where a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null and entry.status in ('5', '6')
),
waiting as (
  update account a
  set signup = case registered.status when '6' then 'migration' else 'new' end, password_hash = null,
    password_scheme = null, password_version = password_version + 1, new_password_required = false,
    is_contested = false
  from registered
  where a.id = registered.id
  returning a.id
),
newest as (delete from account_code where account_id in (select id from waiting))
delete from earlier_verify_code where account_id in (select id from waiting);

-- Makes accounts that were registered, but never verified, wait for an invitation instead: their password, name and
-- codes are void. For Portal, which invites, but must not change the credentials of users. It returns the changed
-- accounts; one that owns content stays as it is, because guests own none.
create function withdraw_registrations(account_ids uuid[]) returns setof uuid
  language sql volatile security definer set search_path = pg_catalog as $$
  with withdrawn as (
    update public.account a
    set role = 'Guest', signup = 'invitation', password_hash = null, password_scheme = null,
      password_version = a.password_version + 1, new_password_required = false, is_contested = false,
      display_name = null
    where a.id = any(account_ids) and a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null
      and not a.is_service
      and not exists (select from public.content_definition c where c.owner_id = a.id)
    returning a.id
  ),
  newest as (delete from public.account_code where account_id in (select id from withdrawn)),
  earlier as (delete from public.earlier_verify_code where account_id in (select id from withdrawn))
  select id from withdrawn
$$;
revoke all on function withdraw_registrations(uuid[]) from public;
