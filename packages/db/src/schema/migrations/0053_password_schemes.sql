-- Hashes of other systems, and our own by argon2id: docs/passwords.md says how they are written.

-- Looser than the check before it, so no row needs a look.
alter table account
  drop constraint account_password_scheme_check,
  add constraint account_password_scheme_check
    check (password_scheme in ('peppered', 'raw', 'foreign', 'wrapped')) not valid;

-- All of a hash but its digest: of bcrypt's the first 29 characters, of others all up to the last $.
create or replace function password_salt(account_id uuid) returns text
  language sql stable security definer set search_path = pg_catalog
  as $$
    select case
      when a.password_hash like '$gh$%'
        then left(a.password_hash, length(a.password_hash) - position('$' in reverse(a.password_hash)) + 1)
      else left(a.password_hash, 29)
    end
    from public.account a where a.id = $1
  $$;

create or replace function change_password(account_id uuid, proof text, new_hash text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  if new_hash !~ '^\$2b\$[0-9]{2}\$[./A-Za-z0-9]{53}$'
    and new_hash !~ '^\$gh\$[01][0-9]\$argon2id,19(,[0-9]{1,6}){4}\$[-\w]{22}\$[-\w]{43}$' then
    raise exception 'not a hash of ours' using errcode = 'invalid_parameter_value';
  end if;
  if public.prove_password($1, proof) is not true then
    return false;
  end if;
  update public.account a
  set password_hash = new_hash, password_scheme = 'peppered', password_version = a.password_version + 1,
    new_password_required = false
  where a.id = $1 and a.password_hash = proof;
  return found;
end $$;
