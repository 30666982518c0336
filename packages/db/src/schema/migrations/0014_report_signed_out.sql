-- Each sign-in to an application that ends before its session, or that has none, is an event and an entry in the audit,
-- whatever ends it. Not those that end because the application was changed or deleted, if they have a session or are more
-- than 10,000: a statement has little time. Who deletes one says in the setting `gatehouse.signed_out` why, who they are
-- and by which request; without that it was the installation itself.
create function report_signed_out() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
declare
  said jsonb := coalesce(nullif(current_setting('gatehouse.signed_out', true), ''), '{}')::jsonb;
begin
  with ended as materialized (
    select g.id, g.account_id, g.client_id, coalesce(g.session_id, g.id) as session_id, public.new_uuid() as event_id,
      why.reason
    from gone g
    join public.account a on a.id = g.account_id
    left join public.oauth_client c on c.id = g.client_id
    -- The row of a client goes before those that refer to it.
    cross join lateral (
      select case when c.id is null then 'application_deleted' else said ->> 'reason' end as reason
    ) why
    where case
      when why.reason in ('application_changed', 'application_deleted')
        then g.session_id is null and (select count(*) from gone o where o.session_id is null) <= 10000
      else g.session_id is null
        or exists (select from public.user_session u where u.id = g.session_id and u.ended_at is null)
    end
  ),
  event as (
    insert into public.outbox (id, type, event)
    select event_id, 'app.signed-out', jsonb_strip_nulls(jsonb_build_object(
      'specversion', '1.0', 'id', event_id, 'source', '/gatehouse', 'type', 'app.signed-out',
      'time', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'datacontenttype', 'application/json', 'traceid', said ->> 'traceId',
      'traceparent', said ->> 'traceparent',
      'data', jsonb_build_object(
        'UserId', account_id, 'SessionId', session_id, 'ClientId', client_id, 'ClientSessionId', id, 'Reason', reason)))
    from ended
  )
  insert into public.audit (id, action, actor_kind, actor_id, target_kind, target_id, details, ip_address, trace_id)
  select public.new_uuid(), 'app.signed-out', coalesce(said ->> 'actorKind', 'System'),
    -- Without an id, each owner.
    case said ->> 'actorKind'
      when 'Account' then coalesce((said ->> 'actorId')::uuid, account_id)
      when 'ApiToken' then (said ->> 'actorId')::uuid
    end,
    'OauthClient', client_id,
    jsonb_strip_nulls(jsonb_build_object('UserId', account_id, 'SessionId', session_id, 'Reason', reason)),
    (said ->> 'address')::inet, said ->> 'traceId'
  from ended;
  return null;
end $$;

create trigger client_session_reported after delete on client_session
  referencing old table as gone
  for each statement execute function report_signed_out();
