-- What each service may do in the database, table by table: `migrate` applies it after the migrations, every time and
-- in one transaction. It takes everything back first, so that what does not stand here nobody has. Services own
-- nothing; docs/least-privilege.md shows the same as a table, and tests compare both.

-- A role for each service, without a password. Whoever is to log in gets one, or becomes a member.
do $$
declare
  service text;
begin
  foreach service in array array['gatehouse_core', 'gatehouse_portal', 'gatehouse_admin', 'gatehouse_mail_worker'] loop
    begin
      if not exists (select from pg_roles where rolname = service) then
        execute format('create role %I', service);
      end if;
    exception
      -- Roles belong to the whole server: somebody else's migration was quicker.
      when duplicate_object or unique_violation then null;
    end;
  end loop;
end $$;

do $$
begin
  execute format(
    'grant connect on database %I to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker',
    current_database());
  execute format('revoke temporary on database %I from public', current_database());
end $$;
revoke create on schema public from public;
grant usage on schema public to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
revoke all on all tables in schema public
  from public, gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
revoke all on all sequences in schema public
  from public, gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
revoke all on all routines in schema public
  from gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;

-- Whose schema this is, only its owner asks; which migrations it has, every service does, to know whether it can work.
revoke all on migration from public;
create or replace function applied_migrations() returns setof text
  language sql stable security definer set search_path = pg_catalog
  as 'select name from public.migration';
grant execute on function applied_migrations()
  to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;

-- Who is an administrator, who is disabled and who must have a second factor is Admin's to say.
grant select on account to gatehouse_core, gatehouse_admin;
grant delete on account to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant insert (
    id, email, email_key, display_name, locale, role, signup, password_hash, password_scheme, email_verified_at),
  update (
    display_name, locale, signup, password_hash, password_scheme, password_version, email_verified_at,
    new_password_required, last_login_at, webauthn_user_handle)
  on account to gatehouse_core;
-- Portal proves passwords and sees no hash. It completes guests; of others it changes passwords and emails by the
-- functions alone that a proof opens.
grant select (
    id, email, email_key, display_name, locale, role, signup, password_scheme, password_version, email_verified_at,
    is_contested, is_disabled, expires_at, content_expired_at, expires_at_before, new_password_required,
    two_factor_required, is_service, created_at, last_login_at),
  insert (id, email, email_key, locale, role, signup),
  update (
    display_name, locale, signup, password_hash, password_scheme, password_version, email_verified_at,
    new_password_required, expires_at, content_expired_at, expires_at_before)
  on account to gatehouse_portal;
grant execute on function password_salt(uuid), prove_password(uuid, text), change_password(uuid, text, text),
  begin_email_change(uuid, text, text, text), finish_email_change(uuid, text)
  to gatehouse_portal;
revoke all on email_change from public;
grant update (is_contested) on account to gatehouse_core;
-- Rights tell columns apart and not values: this keeps both from making a new account that is an administrator's.
create or replace function refuse_administrator() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if exists (
    select from pg_roles
    where rolname = current_user and not rolsuper
      and (pg_has_role(current_user, 'gatehouse_core', 'usage') or pg_has_role(current_user, 'gatehouse_portal', 'usage'))
  ) then
    raise exception 'permission denied to make an administrator or to remove a user' using errcode = 'insufficient_privilege';
  end if;
  return coalesce(new, old);
end $$;
do $$
begin
  -- Only once: making it waits for whoever writes to accounts, and holds up others meanwhile.
  if not exists (select from pg_trigger where tgname = 'account_administrator' and tgrelid = 'account'::regclass) then
    create trigger account_administrator before insert on account
      for each row when (new.role = 'Admin') execute function refuse_administrator();
  end if;
  if not exists (
    select from pg_trigger where tgname = 'account_administrator_removal' and tgrelid = 'account'::regclass
  ) then
    create trigger account_administrator_removal before delete on account
      for each row when (old.role = 'Admin') execute function refuse_administrator();
  end if;
  -- Nobody's code removes users: whoever did could make their address somebody else's.
  if not exists (
    select from pg_trigger where tgname = 'account_user_removal' and tgrelid = 'account'::regclass
  ) then
    create trigger account_user_removal before delete on account
      for each row when (old.role = 'User') execute function refuse_administrator();
  end if;
  -- Portal makes guests, who wait for their invitation; whoever registers is Core's to make.
  if not exists (
    select from pg_trigger where tgname = 'account_guest' and tgrelid = 'account'::regclass
  ) then
    create trigger account_guest before insert on account
      for each row when (new.role = 'User' or new.signup <> 'invitation') execute function refuse_portal();
  end if;
end $$;
grant insert, update on account to gatehouse_admin;
-- Whether somebody who invited may still do so, which a link in a mail depends on; nobody's email, name or password.
grant select (id, is_disabled) on account to gatehouse_mail_worker;

grant select, insert, update, delete on account_code to gatehouse_core, gatehouse_portal, gatehouse_admin;
-- Who wishes to be erased tells Core, and takes it back there, by functions that want the code and the link that were mailed;
-- others tell Admin, which alone erases, by a function that does nothing else and looks whether the time has come.
grant select (
    id, account_id, asked_at, asked_by_kind, asked_by, erases_at, was_disabled, restored_at, erased_at, counts)
  on erasure to gatehouse_core;
grant execute on function begin_own_erasure(uuid, uuid, uuid, integer, bytea), take_back_own_erasure(bytea)
  to gatehouse_core;
grant select, insert (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash),
  update (restored_at, restore_hash, was_disabled, erases_at, asked_by_kind, asked_by)
  on erasure to gatehouse_admin;
-- A mail that is on its way to somebody who was erased is not written down, and one whose link is void is not sent.
grant select (account_id, erased_at, restore_hash, counts) on erasure to gatehouse_mail_worker;
grant execute on function forget_account(uuid), forget_part(uuid, bigint), forget_late_mails() to gatehouse_admin;
grant execute on function exported_audit(uuid, integer), exported_mails(uuid, integer),
  exported_session_events(uuid, integer), exported_face_reviews(uuid, integer), exported_identities(uuid, integer)
  to gatehouse_core, gatehouse_admin;
revoke all on forgetting from public;
revoke all on late_mail_check from public;
-- Whether the code of a mail still lives; not its hash.
grant select (account_id, id, tries_left, expires_at) on account_code to gatehouse_mail_worker;
-- Codes that verify an email are Core's to make and to take; the others void and sweep them.
grant select, insert, update, delete on earlier_verify_code to gatehouse_core;
grant select (account_id, id, tries_left, expires_at) on earlier_verify_code
  to gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
grant delete on earlier_verify_code to gatehouse_portal, gatehouse_admin;

-- Emails that somebody asked a code for, known or not, for as long as that takes.
grant select, insert, update (due_at), delete on reset_request to gatehouse_core;
-- And those that somebody asked an invitation for.
grant select, insert, update (due_at), delete on invitation_request to gatehouse_portal;

grant select, insert, update on mail_quota to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update, delete on address_mail_quota to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update, delete on login_throttle to gatehouse_core, gatehouse_portal, gatehouse_admin;

-- A session is never deleted but with its account or long after its end, and never changes hands.
grant update (status, end_reason, ended_at, version, last_seen_at, last_pinged_at, content_definition_id)
  on user_session to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert on user_session to gatehouse_core, gatehouse_admin;
-- Portal opens none and refreshes none: of what refresh tokens are made it reads nothing.
grant select (
    id, account_id, status, is_exclusive, version, sso_provider, device_name, user_agent, ip_address,
    content_definition_id, created_at, last_seen_at, last_pinged_at, expires_at, ended_at, end_reason)
  on user_session to gatehouse_portal;
-- Who ends sessions may not bring one back: whoever stole its tokens would be let in again.
create or replace function refuse_revival() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if exists (
    select from pg_roles
    where rolname = current_user and not rolsuper
      and (pg_has_role(current_user, 'gatehouse_core', 'usage') or pg_has_role(current_user, 'gatehouse_portal', 'usage'))
  ) then
    raise exception 'permission denied to make a session active again' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
do $$
begin
  if not exists (select from pg_trigger where tgname = 'user_session_revival' and tgrelid = 'user_session'::regclass) then
    create trigger user_session_revival before update of ended_at on user_session
      for each row when (old.ended_at is not null and new.ended_at is null) execute function refuse_revival();
  end if;
end $$;
grant update (refresh_current, refresh_next, refresh_next_at, refresh_overtaken, refresh_overtaken_at)
  on user_session to gatehouse_core;
grant update (password_version) on user_session to gatehouse_core, gatehouse_portal;
grant update (is_exclusive, confirmed_at) on user_session to gatehouse_admin;
-- Their history is written and never changed, and only what is old in it is deleted.
grant insert on session_event to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select on session_event to gatehouse_admin;
-- What tells others of endings needs no reasons.
grant select (seq, xact, session_id, account_id, status, changed_at, token_expires_at)
  on session_event to gatehouse_core, gatehouse_portal;
-- What an app hands to a browser of the account pages, which Portal gives out and takes, and a sign-on, which Admin ends.
grant select, insert, update (expires_at), delete on handover_code to gatehouse_portal;
grant select (expires_at), insert on handover_code to gatehouse_admin;
-- Who is let in to the console, Admin says alone.
grant select, insert, update (expires_at), delete on console_code to gatehouse_admin;
grant select, insert, delete on live_session_outbox to gatehouse_core, gatehouse_portal, gatehouse_admin;

grant select, insert, update (published_at, publications, publish_after), delete
  on outbox to gatehouse_core, gatehouse_portal, gatehouse_admin;
-- A mail that is recorded leaves the outbox; what else is in there is none of the worker's business.
grant select (id), delete on outbox to gatehouse_mail_worker;
grant select, insert, update, delete on mail_delivery to gatehouse_mail_worker;
grant select, update (status, tries_forgiven, retried_at, next_try_at, claimed_until, parked_at)
  on mail_delivery to gatehouse_admin;

grant select on content_definition to gatehouse_core, gatehouse_portal;
-- Postgres wants a right to update from whoever locks a row, as Portal does while it invites: this column's is the least.
grant update (updated_at) on content_definition to gatehouse_portal;
grant select, insert, update, delete on content_definition to gatehouse_admin;
grant select on content_access to gatehouse_core;
grant select, insert, update (granted_by, granted_at, invited_email, expires_at), delete
  on content_access to gatehouse_portal, gatehouse_admin;
grant select on invitation to gatehouse_core;
grant select, insert, update on invitation to gatehouse_portal, gatehouse_admin;
-- Whether the link of a mail still lives; not its token's hash.
grant select (mail_event_id, accepted_at, deleted_at, expires_at, invited_by) on invitation to gatehouse_mail_worker;
grant select, insert, update on inviter_quota to gatehouse_portal, gatehouse_admin;

-- Admin signs in to its console, second factors included.
grant select, insert, update, delete on two_factor to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update (used_at), delete on recovery_code to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update (tries_left), delete on two_factor_challenge to gatehouse_core, gatehouse_admin;
grant select (account_id, expires_at), delete on two_factor_challenge to gatehouse_portal;

-- A passkey opens an account: Core alone adds one, as it alone opens sessions for everybody. Admin signs in by them and
-- removes lost ones; Portal asks whether there are any, and removes those of guests who begin anew.
grant select, insert, update (name, sign_count, is_backed_up, last_used_at), delete on passkey to gatehouse_core;
grant select, update (sign_count, is_backed_up, last_used_at), delete on passkey to gatehouse_admin;
grant select (account_id), delete on passkey to gatehouse_portal;
grant select, insert, delete on webauthn_challenge to gatehouse_core, gatehouse_admin;
grant select (expires_at), delete on webauthn_challenge to gatehouse_portal;

-- What happened is counted by all; Admin shows it and forgets it.
grant select, insert, update (count) on activity
  to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
grant delete on activity to gatehouse_admin;

-- Persons and their faces are Core's alone. A decision about a face is never changed.
grant select, insert, update, delete on person to gatehouse_core;
grant select, insert, update, delete on face to gatehouse_core;
grant select, insert, update, delete on face_match to gatehouse_core;
grant select, insert on face_review to gatehouse_core;
grant select, insert, update (created_at), delete on person_purge to gatehouse_core;

-- Static tokens are Admin's to make and to revoke; the others check them and note that they were used.
grant select, update (last_used_at, last_used_ip) on api_token to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant insert, update (revoked_at, expires_at, replaced_by) on api_token to gatehouse_admin;
-- Who signs on with an identity provider.
grant select, insert, delete on sso_identity to gatehouse_admin;
-- It opens an account, as a passkey does: Core adds one for an owner, too, once Admin has recognised them.
grant select, insert, delete on sso_identity to gatehouse_core;
grant select, insert, delete on identity_link to gatehouse_core;
grant select (ticket_hash, provider, code_hash, expires_at), update (code_hash, issuer, subject, expires_at)
  on identity_link to gatehouse_admin;
grant select, delete on sso_attempt to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant insert on sso_attempt to gatehouse_admin;

-- The record of what was changed: written by all who change, changed by nobody, read by administrators.
grant insert on audit to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select on audit to gatehouse_admin;
-- What is old goes by these functions, which delete nothing that is younger than their own least time; that of the audit
-- is the owner's to say.
revoke all on audit_bound from public;
grant execute on function forget_sessions(int, int), forget_session_events(int, int), forget_audit(int, int)
  to gatehouse_admin;

-- Who may call a function stands where it is made; Postgres lets everybody at first. Triggers need no such right, and
-- what extensions bring is not ours.
do $$
declare
  routine regprocedure;
begin
  for routine in
    select p.oid from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('revoke all on routine %s from public', routine);
  end loop;
end $$;
