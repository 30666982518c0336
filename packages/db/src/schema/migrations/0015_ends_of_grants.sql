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
