-- An application may keep its sign-ins whatever becomes of the session that they came from (`grants = 'own'`): they have
-- no session, take no slot, and live as long as their rows. The row's id is the `sid` of its tokens, too.

alter table oauth_client
  add column grants text not null default 'session' check (grants in ('session', 'own')),
  -- How long such a sign-in lives at most. Null: as the installation says.
  add column grant_max_seconds integer check (grant_max_seconds > 0);
alter table client_session
  alter column session_id drop not null,
  -- From where and by what program it was last used.
  add column ip_address inet,
  add column user_agent text;
create index client_session_own on client_session (last_seen_at) where session_id is null;

create or replace function announce_client_logout() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (select from gone) then
    return null;
  end if;
  -- Access tokens live as long as they did at the last changes: of the session, and of any, as the setting may be new.
  insert into public.session_event (session_id, account_id, status, reason, token_expires_at)
  select g.id, g.account_id, 4, 'signed_out', now() + coalesce(
    greatest(
      (select max(e.token_expires_at - e.changed_at) from public.session_event e where e.session_id = g.session_id),
      (select e.token_expires_at - e.changed_at from public.session_event e order by e.seq desc limit 1)),
    interval '1 day')
  from gone g;
  -- Nobody is left to be told once the client, or the session or account, is deleted. An application knows of the end if
  -- it has revoked its token, or has just signed in again to a session that had too many of its sign-ins.
  with told as (
    insert into public.signed_out_client as earlier (session_id, client_id, told_at)
    select distinct g.session_id, g.client_id,
      case when current_setting('gatehouse.signed_out_by', true) is distinct from 'client' and not exists (
        select from public.client_session s
        where s.session_id = g.session_id and s.client_id = g.client_id and s.created_at = now()
      ) then now() end
    from gone g
    join public.oauth_client c on c.id = g.client_id and c.backchannel_logout_uri is not null
    join public.user_session u on u.id = g.session_id
    on conflict (session_id, client_id) do update set told_at = excluded.told_at
      where earlier.told_at is distinct from excluded.told_at
    returning earlier.session_id, earlier.client_id, earlier.told_at
  ),
  due as (
    select t.client_id, u.account_id, t.session_id, public.new_uuid() as id
    from told t join public.user_session u on u.id = t.session_id
    where t.told_at is not null
    union all
    select g.client_id, g.account_id, g.id, public.new_uuid()
    from gone g
    join public.oauth_client c on c.id = g.client_id and c.backchannel_logout_uri is not null
    join public.account a on a.id = g.account_id
    where g.session_id is null and current_setting('gatehouse.signed_out_by', true) is distinct from 'client'
  )
  insert into public.hook_delivery (id, event_id, client_id, account_id, session_id, type)
  select id, id, client_id, account_id, session_id, 'session.ended' from due;
  return null;
end $$;

-- Ends the sign-ins of accounts that have no session: they end with whatever ends all sessions of an account. Every
-- service may end all, and can neither read nor choose any. Lock the accounts first, and end their sessions.
create function end_grants(account_ids uuid[]) returns void
  language sql volatile security definer set search_path = pg_catalog as $$
  with client as materialized (
    select c.id
    from public.oauth_client c
    where c.id in (
      select cs.client_id
      from public.client_session cs
      where cs.account_id = any(account_ids) and cs.session_id is null)
    order by c.id
    for key share
  )
  delete from public.client_session cs
  using client
  where cs.client_id = client.id and cs.account_id = any(account_ids) and cs.session_id is null
$$;
