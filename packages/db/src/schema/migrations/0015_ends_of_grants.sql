-- When an instance last found in its settings that an application with a document may sign people in: while settings are
-- changed instance by instance, only what none of them admits any more is deleted.
alter table oauth_client add column admitted_at timestamptz not null default now();

-- Deletes documents that are over, and clients that came from one: those that for ten minutes no instance has admitted, with
-- their host (null: all hosts may sign people in), scopes and APIs, and those that nobody is signed in to for a day, unless
-- administrators have limited who may be. Skipped is whom somebody is being signed in to.
create or replace function forget_agents(hosts text[], asked_scopes text[], apis text[])
  returns table (id uuid, name text)
  language sql volatile security definer set search_path = pg_catalog as $$
  delete from public.client_document
  where wanted_at < now() - interval '1 minute' and coalesce(expires_at, wanted_at + interval '1 hour') < now();
  update public.oauth_client admitted
  set admitted_at = now()
  where admitted.id in (
    select c.id
    from public.oauth_client c
    where c.document_url is not null and c.admitted_at < now() - interval '5 minutes'
      and coalesce(split_part(c.document_url, '/', 3) = any(hosts), true)
      and c.scopes <@ asked_scopes and c.resources <@ apis
    order by c.id
    for no key update);
  delete from public.oauth_client gone
  where gone.id in (
    select c.id
    from public.oauth_client c
    where c.document_url is not null
      and (
        c.admitted_at < now() - interval '10 minutes'
        or (
          c.created_at < now() - interval '1 day'
          and c.roles = array['User', 'Admin'] and c.groups = '{}' and c.grant_max_seconds is null
          and not exists (select from public.client_session s where s.client_id = c.id)
          and not exists (select from public.oauth_code o where o.client_id = c.id)))
    for update of c skip locked)
  returning gone.id, gone.name
$$;

create or replace function announce_client_logout() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if not exists (select from gone) then
    return null;
  end if;
  -- Access tokens live as long as they did at the last changes: of the session, and of any, as the setting may be new. Of
  -- what has no session nothing says so: they live a day at most.
  insert into public.session_event (session_id, account_id, status, reason, token_expires_at)
  select g.id, g.account_id, 4, 'signed_out', now() + coalesce(
    case when g.session_id is not null then greatest(
      (select max(e.token_expires_at - e.changed_at) from public.session_event e where e.session_id = g.session_id),
      (select e.token_expires_at - e.changed_at from public.session_event e order by e.seq desc limit 1)) end,
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

-- Ends the sign-ins of accounts that have no session, and the codes that open such: they end with whatever ends all
-- sessions of an account, and those that somebody opened with a passkey or an identity (`opened_by`) with its removal. Every
-- service may end all, and can neither read nor choose any. Lock the accounts first, and end their sessions.
drop function end_grants(uuid[]);
create function end_grants(account_ids uuid[], opened_by text) returns void
  language sql volatile security definer set search_path = pg_catalog as $$
  with client as materialized (
    select c.id
    from public.oauth_client c
    where c.id in (
      select cs.client_id
      from public.client_session cs
      where cs.account_id = any(account_ids) and cs.session_id is null
      union
      select o.client_id from public.oauth_code o where o.account_id = any(account_ids))
    order by c.id
    for key share
  ),
  code as (
    delete from public.oauth_code o
    using client
    where o.client_id = client.id and o.account_id = any(account_ids)
      and coalesce(opened_by = any(o.authenticated_by), true)
  )
  delete from public.client_session cs
  using client
  where cs.client_id = client.id and cs.account_id = any(account_ids) and cs.session_id is null
    and coalesce(opened_by = any(cs.authenticated_by), true)
$$;
