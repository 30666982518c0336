-- Not in a transaction: of very many accounts, it locks few at a time, for about a tenth of a second.
-- The labels so far are the provider's where the audit shows that its sign-on was the last to set all of them, and an
-- identity is still linked: the next sign-on takes back what the provider no longer says. All others become an
-- administrator's, who can take them away.
do $$
declare
  last text := '';
  batch uuid[];
begin
  -- A development version has done this, and labels have been written since.
  if exists (select from public.migration m where m.name = '0003_account_groups.sql') then
    return;
  end if;
  loop
    -- In the order in which everybody locks accounts.
    batch := array(
      select a.id
      from public.account a
      where a.groups <> '{}' and a.email_key > last
      order by a.email_key
      limit 2000
      for no key update);
    exit when batch = '{}';
    last := (select a.email_key from public.account a where a.id = batch[cardinality(batch)]);
    insert into public.account_group (account_id, label, source)
    select distinct a.id, l.label, coalesce(said.provider, 'Administrator')
    from public.account a
    cross join unnest(a.groups) as l (label)
    left join lateral (
      select e.details ->> 'Provider' as provider, e.details -> 'Groups' as labels
      from public.audit e
      where e.target_id = a.id and e.action = 'account.changed' and e.details ? 'Groups'
      order by e.id desc
      limit 1
    ) said
      on said.labels = to_jsonb(a.groups)
      and exists (select from public.sso_identity i where i.account_id = a.id)
    where a.id = any(batch)
    on conflict do nothing;
    -- A provider may have said them through version 1.0.0 while this ran.
    delete from public.account_group g
    using public.account_group p
    where g.account_id = any(batch) and g.source = 'Administrator'
      and p.account_id = g.account_id and p.label = g.label and p.source <> g.source;
    commit;
  end loop;
end $$;
