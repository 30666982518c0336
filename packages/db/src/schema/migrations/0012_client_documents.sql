-- An application may say what it is in a document, whose address is its client_id. Core asks for a document, the hook
-- worker fetches it, and Core judges it. Neither service has the other's right: Core has no way out, and the hook worker
-- answers only what was asked.

create table client_document (
  url text primary key,
  -- When Core asked for it last. It waits for an answer for a few seconds.
  wanted_at timestamptz not null default now(),
  -- When a hook worker began to fetch it.
  taken_at timestamptz,
  answered_at timestamptz,
  -- Until when the answer may be used.
  expires_at timestamptz,
  -- As it was fetched; null: it was not, for the reason in `fault`.
  body text,
  fault text,
  constraint client_document_bounds check (length(url) <= 255 and octet_length(body) <= 5120 and length(fault) <= 50)
);
create index client_document_wanted on client_document (wanted_at);

-- An application becomes a client when somebody has let it in. Its id follows from the address.
alter table oauth_client
  add column document_url text unique,
  add constraint oauth_client_document check (
    document_url is null
    or (is_public and not is_trusted and grants = 'own' and not is_declared and backchannel_logout_uri is null));

-- The documents that a hook worker is to fetch now. Each request for one is taken once: if the worker dies, Core asks again.
create function take_client_documents(most integer) returns setof text
  language sql volatile security definer set search_path = pg_catalog as $$
  update public.client_document d
  set taken_at = now()
  from (
    select url
    from public.client_document
    where wanted_at > now() - interval '10 seconds' and (taken_at is null or taken_at < wanted_at)
    order by wanted_at
    limit most
    for update skip locked
  ) due
  where d.url = due.url
  returning d.url
$$;

-- Stores what was fetched, once for each time that it was taken. It may be used for between an hour and a day.
create function answer_client_document(address text, answer text, failure text, seconds integer) returns void
  language sql volatile security definer set search_path = pg_catalog as $$
  update public.client_document
  set answered_at = now(), body = answer, fault = failure,
    expires_at = now() + make_interval(secs => least(greatest(coalesce(seconds, 0), 3600), 86400))
  where url = address and taken_at > now() - interval '15 seconds'
    and (answered_at is null or answered_at < taken_at)
$$;

-- Makes a client of what a document says: always a public one that is not trusted. Says what became of it: `same`, `changed`,
-- `created`, or `full` if the account has let in too many others.
create function adopt_agent(
  client uuid, address text, shown text, uris text[], asked_scopes text[], apis text[], account uuid) returns text
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  others integer;
  is_new boolean;
begin
  select count(*) into others
  from public.oauth_consent k
  join public.oauth_client c on c.id = k.client_id and c.document_url is not null
  where k.account_id = account and c.id <> client;
  if others >= 50 then
    return 'full';
  end if;
  if exists (
    select from public.oauth_client c
    where c.id = client and c.document_url = address and c.name = shown and c.redirect_uris = uris
      and c.scopes = asked_scopes and c.resources = apis
  ) then
    return 'same';
  end if;
  insert into public.oauth_client as c (
    id, document_url, name, redirect_uris, scopes, resources, is_public, grants, grant_types, roles, any_localhost_port)
  values (
    client, address, shown, uris, asked_scopes, apis, true, 'own', array['authorization_code', 'refresh_token'],
    array['User', 'Admin'], true)
  on conflict (id) do update
  set name = excluded.name, redirect_uris = excluded.redirect_uris, scopes = excluded.scopes, resources = excluded.resources
  where c.document_url = excluded.document_url
  returning c.xmax = 0 into strict is_new;
  return case when is_new then 'created' else 'changed' end;
end $$;

-- Deletes documents that are over, and clients that came from one: those of other hosts than these (null: all hosts may
-- sign people in), or with other scopes or APIs, and those that nobody is signed in to for a day, unless administrators
-- have limited who may be. Skipped is whom somebody is being signed in to.
create function forget_agents(hosts text[], asked_scopes text[], apis text[]) returns table (id uuid, name text)
  language sql volatile security definer set search_path = pg_catalog as $$
  delete from public.client_document
  where wanted_at < now() - interval '1 minute' and coalesce(expires_at, wanted_at + interval '1 hour') < now();
  delete from public.oauth_client gone
  where gone.id in (
    select c.id
    from public.oauth_client c
    where c.document_url is not null
      and (
        not coalesce(split_part(c.document_url, '/', 3) = any(hosts), true)
        or not (c.scopes <@ asked_scopes and c.resources <@ apis)
        or (
          c.created_at < now() - interval '1 day'
          and c.roles = array['User', 'Admin'] and c.groups = '{}' and c.grant_max_seconds is null
          and not exists (select from public.client_session s where s.client_id = c.id)
          and not exists (select from public.oauth_code o where o.client_id = c.id)))
    for update of c skip locked)
  returning gone.id, gone.name
$$;
