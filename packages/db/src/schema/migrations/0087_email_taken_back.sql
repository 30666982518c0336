-- A row is the right to take back one change of an account's email: the secret of a link that was mailed to the former
-- address.
drop table email_change;
create table email_change (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  former_email text not null,
  former_email_key text not null,
  changed_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_change_account on email_change (account_id);
create index email_change_expiry on email_change (expires_at);

-- Whoever registers the former address without being able to verify it must not prevent its owner from taking the change
-- back: deletes such an account, and returns its id. One that an administrator or an inviter has created, or that has
-- content, remains.
create function free_former_email(link_hash bytea) returns uuid
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  removed_id uuid;
begin
  delete from public.account a
  using public.email_change c
  where c.token_hash = link_hash and c.expires_at > now() and a.email_key = c.former_email_key
    and a.id <> c.account_id and a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null
    and not a.is_service and not a.is_disabled and a.expires_at is null
    and not exists (select from public.content_access g where g.account_id = a.id)
    and not exists (select from public.content_definition d where d.owner_id = a.id)
  returning a.id into removed_id;
  return removed_id;
end $$;
revoke all on function free_former_email(bytea) from public;
