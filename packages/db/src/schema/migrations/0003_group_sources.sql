-- Who says that an account is in a group: an administrator, or an identity provider. None changes what another says.

create table if not exists account_group (
  account_id uuid not null references account on delete cascade,
  label text not null check (char_length(label) between 1 and 100),
  -- `Administrator`, or the id of an identity provider, which has no capitals.
  source text not null check (source = 'Administrator' or source ~ '^[a-z0-9-]{1,32}$'),
  primary key (account_id, source, label)
);

-- The number of labels is bounded by source.
alter table account drop constraint if exists account_groups;

-- account.groups has every label once, whoever says it. This is the one place that writes it.
create or replace function derive_account_groups() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  -- Locked first, so that the next statement sees what others have committed meanwhile.
  perform from public.account a where a.id in (select c.account_id from changed c) order by a.email_key for no key update;
  update public.account a
  set groups = d.labels
  from (
    select c.account_id, array(
      select g.label from public.account_group g
      where g.account_id = c.account_id
      group by g.label
      order by g.label collate "C"
    ) as labels
    from (select distinct account_id from changed) c
  ) d
  where a.id = d.account_id and a.groups <> d.labels;
  return null;
end $$;

-- Whoever writes account.groups itself, as imports and version 1.0.0 do, speaks for administrators: a new label is
-- theirs, one that is left out is nobody's any more, and one that stays keeps its sources.
create or replace function take_written_groups() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from public.account_group g where g.account_id = new.id and g.label <> all(new.groups);
  insert into public.account_group (account_id, label, source)
  select distinct new.id, w.label, 'Administrator'
  from unnest(new.groups) as w (label)
  where not exists (select from public.account_group g where g.account_id = new.id and g.label = w.label);
  return null;
end $$;

create or replace trigger account_written_groups after insert on account for each row
  when (pg_trigger_depth() = 0 and new.groups <> '{}') execute function take_written_groups();
create or replace trigger account_rewritten_groups after update of groups on account for each row
  when (pg_trigger_depth() = 0 and new.groups is distinct from old.groups) execute function take_written_groups();

-- A provider says nothing about an account that is no longer linked to it.
create or replace function forget_unlinked_groups() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  delete from public.account_group g
  where g.account_id = old.account_id and g.source <> 'Administrator'
    and g.source not in (select i.provider from public.sso_identity i where i.account_id = old.account_id);
  return null;
end $$;
create or replace trigger sso_identity_unlinked after delete on sso_identity for each row
  execute function forget_unlinked_groups();

create or replace trigger account_group_added after insert on account_group referencing new table as changed
  for each statement execute function derive_account_groups();
create or replace trigger account_group_removed after delete on account_group referencing old table as changed
  for each statement execute function derive_account_groups();
