-- With the sign-ins of accounts that have no session end the codes that open such, also those of a session that stays: a
-- device may fetch its tokens ten minutes after it was approved.
create or replace function end_grants(account_ids uuid[]) returns void
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
  )
  delete from public.client_session cs
  using client
  where cs.client_id = client.id and cs.account_id = any(account_ids) and cs.session_id is null
$$;
