-- Core changes passwords and emails, and checks the password itself. Portal needs no functions for that.
drop trigger account_code_new on account_code;
drop trigger account_code_changed on account_code;
drop function change_password(uuid, text, text);
drop function begin_email_change(uuid, text, text, text);
drop function finish_email_change(uuid, text);
drop function prove_password(uuid, text);
drop function password_salt(uuid);
drop sequence wrong_proofs_count_until;

-- Rights can distinguish columns, but not rows. Portal sets credentials of guests only: of one who waits for an
-- invitation to be accepted, and to make a guest wait for one, without a password.
drop trigger account_credentials on account;
create trigger account_credentials before update on account for each row
  when (
    (
      old.role <> 'Guest'
      and (
        old.email, old.email_key, old.email_verified_at, old.signup, old.password_hash, old.password_scheme,
        old.password_version, old.new_password_required, old.expires_at, old.content_expired_at, old.expires_at_before
      ) is distinct from (
        new.email, new.email_key, new.email_verified_at, new.signup, new.password_hash, new.password_scheme,
        new.password_version, new.new_password_required, new.expires_at, new.content_expired_at, new.expires_at_before
      )
    )
    or (
      old.signup <> 'invitation'
      and not (new.signup = 'invitation' and new.password_hash is null)
      and (
        old.email_verified_at, old.signup, old.password_hash, old.password_scheme, old.new_password_required
      ) is distinct from (
        new.email_verified_at, new.signup, new.password_hash, new.password_scheme, new.new_password_required
      )
    )
  )
  execute function refuse_portal();

-- A guest who starts over loses second factors. Those of others are not for Portal to remove.
create function refuse_portal_beyond_guests() returns trigger
  language plpgsql set search_path = pg_catalog as $$
begin
  if exists (
    select from pg_roles as own, pg_roles as portal
    where own.rolname = current_user and not own.rolsuper
      and portal.rolname = 'gatehouse_portal' and pg_has_role(own.oid, portal.oid, 'usage')
  ) and exists (select from public.account a where a.id = old.account_id and a.role <> 'Guest') then
    raise exception 'permission denied to remove a second factor' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create trigger two_factor_removal before delete on two_factor for each row
  execute function refuse_portal_beyond_guests();
create trigger recovery_code_removal before delete on recovery_code for each row
  execute function refuse_portal_beyond_guests();
create trigger passkey_removal before delete on passkey for each row
  execute function refuse_portal_beyond_guests();

-- Portal opens no sessions and revives none. Services that follow the history of sessions would otherwise accept the
-- tokens of an ended session again.
create trigger session_event_active before insert on session_event for each row
  when (new.status in (1, 2, 5))
  execute function refuse_portal();
