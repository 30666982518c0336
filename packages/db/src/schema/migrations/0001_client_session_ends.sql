-- The end of an application's part of a session is one fact, whatever ends it: the row is deleted, the history of sessions
-- has it under the row's own id, which access tokens name as `client_session`, and the application is told.
--
-- Whoever deletes client sessions first locks their clients (`for key share` is enough), because a delivery refers to its
-- client, whose deletion deletes client sessions; and before the clients the session, if it ends.

-- Applications that had a part in a session and have none any more, until the session ends. No foreign key to the
-- session, which would be locked after the client.
create table signed_out_client (
  session_id uuid not null,
  client_id uuid not null references oauth_client on delete cascade,
  -- Null: the application was not told, because it has ended its part itself.
  told_at timestamptz,
  primary key (session_id, client_id)
);
create index signed_out_client_client on signed_out_client (client_id);

-- A UUID of version 7, as services make them: 48 bits of milliseconds, then random ones (RFC 9562, section 5.7).
create function new_uuid() returns uuid language sql volatile set search_path = pg_catalog as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1), 52, 1), 53, 1),
    'hex')::uuid
$$;

create function announce_client_logout() returns trigger
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
  -- Nobody is left to be told once the client or the session is deleted. An application knows of the end if it has
  -- revoked its token, or has just signed in again to a session that had too many of its sign-ins.
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
  )
  insert into public.hook_delivery (id, event_id, client_id, account_id, session_id, type)
  select id, id, client_id, account_id, session_id, 'session.ended' from due;
  return null;
end $$;

-- With the end of a session, whichever service ends it, everything ends that was opened in it, so that a session that
-- becomes active again is signed in nowhere. Applications that it was signed in to are told, unless they were before.
create or replace function announce_logout() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform from public.oauth_client c
  where c.id in (
    select s.client_id from public.client_session s where s.session_id = new.id
    union
    select o.client_id from public.signed_out_client o where o.session_id = new.id)
  order by c.id
  for key share;
  delete from public.oauth_code c where c.session_id = new.id;
  delete from public.handover_code c where c.session_id = new.id;
  -- Without a session: it would confirm the owner in any. Somebody who ends a session may doubt that, too.
  delete from public.console_code c
  where c.session_id = new.id
    or (c.session_id is null and c.account_id = new.account_id and new.end_reason not in ('replaced', 'expired'));
  delete from public.identity_link l where l.session_id = new.id;
  delete from public.client_session s where s.session_id = new.id;
  with kept as (
    delete from public.signed_out_client o where o.session_id = new.id returning o.client_id, o.told_at
  ),
  due as (
    select k.client_id, public.new_uuid() as id from kept k where k.told_at is null
  )
  insert into public.hook_delivery (id, event_id, client_id, account_id, session_id, type)
  select id, id, client_id, new.account_id, new.id, 'session.ended' from due;
  return null;
end $$;

-- Applications were told of the ends until now.
delete from client_session s using user_session u where u.id = s.session_id and u.ended_at is not null;
delete from oauth_code c using user_session u where u.id = c.session_id and u.ended_at is not null;

create trigger client_session_end after delete on client_session
  referencing old table as gone
  for each statement execute function announce_client_logout();
