-- Who serves people that are logged in changes a password or an email by a proof of the present password alone, which
-- the database checks: the whole bcrypt hash of what was typed, made with the salt that `password_salt` tells.
-- docs/least-privilege.md says what that keeps from whoever has taken over Portal.

-- An address that an account is to have: asked for with the password, used up by the code that was mailed to it.
create table email_change (
  account_id uuid primary key references account on delete cascade,
  email text not null,
  email_key text not null,
  -- Of the password that was shown: with another one it must be asked for anew.
  password_version integer not null,
  expires_at timestamptz not null
);
create index email_change_expiry on email_change (expires_at);

-- Until when, in seconds since the epoch, the wrong proofs for administrators count. A sequence, as it is not rolled back
-- with the transaction of whoever guesses.
create sequence wrong_proofs_count_until minvalue 0 start 0;

create function password_salt(account_id uuid) returns text
  language sql stable security definer set search_path = pg_catalog
  as 'select left(a.password_hash, 29) from public.account a where a.id = $1';
revoke all on function password_salt(uuid) from public;

-- Null: too many were wrong. For an administrator 60 may be, and one more each minute: whoever may call this calls it as
-- often as they like. For others the calling service counts failures.
create function prove_password(account_id uuid, proof text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  kept record;
  present bigint;
  counted_until bigint;
begin
  select a.role, a.password_hash as hash into kept from public.account a where a.id = $1;
  if kept.role is distinct from 'Admin' then
    return coalesce(kept.hash = proof, false);
  end if;
  perform pg_advisory_xact_lock(7114201984);
  present := floor(extract(epoch from clock_timestamp()));
  select greatest(last_value, present) into counted_until from public.wrong_proofs_count_until;
  if counted_until - present >= 60 * 60 then
    return null;
  end if;
  if kept.hash = proof then
    return true;
  end if;
  perform setval('public.wrong_proofs_count_until', counted_until + 60);
  return false;
end $$;
revoke all on function prove_password(uuid, text) from public;

create function change_password(account_id uuid, proof text, new_hash text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  if new_hash !~ '^\$2b\$[0-9]{2}\$[./A-Za-z0-9]{53}$' then
    raise exception 'not a bcrypt hash' using errcode = 'invalid_parameter_value';
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
revoke all on function change_password(uuid, text, text) from public;

create function begin_email_change(account_id uuid, proof text, new_email text, new_email_key text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog as $$
begin
  if public.prove_password($1, proof) is not true then
    return false;
  end if;
  delete from public.email_change c where c.expires_at < now();
  insert into public.email_change as c (account_id, email, email_key, password_version, expires_at)
  select a.id, new_email, new_email_key, a.password_version, now() + interval '24 hours'
  from public.account a
  where a.id = $1 and a.password_hash = proof
  on conflict on constraint email_change_pkey do update
  set email = excluded.email, email_key = excluded.email_key, password_version = excluded.password_version,
    expires_at = excluded.expires_at;
  return found;
end $$;
revoke all on function begin_email_change(uuid, text, text, text) from public;

-- False: nobody has asked for this address with the present password. A taken address fails like any such update.
create function finish_email_change(account_id uuid, new_email_key text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  asked_for text;
begin
  delete from public.email_change c
  using public.account a
  where c.account_id = $1 and a.id = $1 and c.email_key = new_email_key and c.expires_at > now()
    and c.password_version = a.password_version
  returning c.email into asked_for;
  if asked_for is null then
    return false;
  end if;
  update public.account a
  set email = asked_for, email_key = new_email_key, email_verified_at = now()
  where a.id = $1;
  return true;
end $$;
revoke all on function finish_email_change(uuid, text) from public;

-- In the functions above the current user is their owner, and so this refuses what goes past them.
create function refuse_portal() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if exists (
    select from pg_roles as own, pg_roles as portal
    where own.rolname = current_user and not own.rolsuper
      and portal.rolname = 'gatehouse_portal' and pg_has_role(own.oid, portal.oid, 'usage')
  ) then
    raise exception 'permission denied to change what opens an account' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- Guests, and whoever waits for an invitation, choose their password in Portal by the link that was mailed.
create trigger account_credentials before update on account for each row
  when (
    (old.role = 'Admin' or (old.role = 'User' and old.signup = 'complete'))
    and (
      old.email, old.email_key, old.email_verified_at, old.signup, old.password_hash, old.password_scheme,
      old.password_version, old.new_password_required, old.expires_at, old.content_expired_at, old.expires_at_before
    ) is distinct from (
      new.email, new.email_key, new.email_verified_at, new.signup, new.password_hash, new.password_scheme,
      new.password_version, new.new_password_required, new.expires_at, new.content_expired_at, new.expires_at_before
    )
  )
  execute function refuse_portal();

-- Codes that open an account are made and counted by others.
create trigger account_code_new before insert on account_code for each row
  when (new.purpose in ('verify', 'reset'))
  execute function refuse_portal();
create trigger account_code_changed before update on account_code for each row
  when (old.purpose in ('verify', 'reset') or new.purpose in ('verify', 'reset'))
  execute function refuse_portal();
