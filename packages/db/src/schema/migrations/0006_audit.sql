-- The record of what people and static tokens changed, and the search for accounts.

create table audit (
  -- Version 7: in the order of time.
  id uuid primary key,
  at timestamptz not null default now(),
  action text not null,
  -- `System`: the installation itself, from its configuration or its command line.
  actor_kind text not null check (actor_kind in ('Account', 'ApiToken', 'System')),
  actor_id uuid,
  target_kind text not null,
  target_id uuid,
  ip_address inet,
  trace_id text,
  -- What was changed, in the contract's own names; never an email, a token, a code or a password.
  details jsonb not null default '{}',
  constraint audit_actor check ((actor_id is null) = (actor_kind = 'System'))
);
create index audit_actor on audit (actor_id, id desc) where actor_id is not null;
create index audit_target on audit (target_id, id desc) where target_id is not null;
create index audit_action on audit (action, id desc);
create trigger audit_append_only before update or delete or truncate on audit
  for each statement execute function refuse_change();

-- Ships with Postgres; the owner of a database may create it (a trusted extension).
create extension if not exists pg_trgm;
create index account_search on account using gin (lower(email || ' ' || coalesce(display_name, '')) gin_trgm_ops);
create index account_role on account (role, id desc);
