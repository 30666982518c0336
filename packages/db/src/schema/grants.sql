-- The rights of each service in the database, table by table. `migrate` applies this file after the migrations, every
-- time and in one transaction. It revokes everything first, so that no service has a right that is not listed here.
-- Services own nothing. docs/least-privilege.md shows the same as a table, and tests compare the two.

-- A role for each service, without a password. A service's login is this role with a password, or a member of it.
do $$
declare
  service text;
begin
  foreach service in array array['gatehouse_core', 'gatehouse_portal', 'gatehouse_admin', 'gatehouse_mail_worker', 'gatehouse_hook_worker'] loop
    begin
      if not exists (select from pg_roles where rolname = service) then
        execute format('create role %I', service);
      end if;
    exception
      -- Roles belong to the whole server: another migration has created this one first.
      when duplicate_object or unique_violation then null;
    end;
  end loop;
end $$;

do $$
begin
  execute format(
    'grant connect on database %I to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker, gatehouse_hook_worker',
    current_database());
  execute format('revoke temporary on database %I from public', current_database());
end $$;
revoke create on schema public from public;
grant usage on schema public to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker, gatehouse_hook_worker;
revoke all on all tables in schema public
  from public, gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker, gatehouse_hook_worker;
revoke all on all sequences in schema public
  from public, gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker, gatehouse_hook_worker;
revoke all on all routines in schema public
  from gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker, gatehouse_hook_worker;

-- Only the owner may read the table of migrations. All services may call a function that lists the applied ones, to
-- check whether they can work with the schema.
revoke all on migration from public;
create or replace function applied_migrations() returns setof text
  language sql stable security definer set search_path = pg_catalog
  as 'select name from public.migration';
grant execute on function applied_migrations()
  to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker, gatehouse_hook_worker;

-- Only Admin decides who is an administrator, who is disabled and who must have a second factor.
grant select on account to gatehouse_core, gatehouse_admin;
grant execute on function is_disabled_now(boolean, timestamptz)
  to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
grant delete on account to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant insert (
    id, email, email_key, display_name, locale, role, signup, password_hash, password_scheme, email_verified_at),
  update (
    display_name, locale, signup, password_hash, password_scheme, password_version, email_verified_at,
    new_password_required, last_login_at, webauthn_user_handle)
  on account to gatehouse_core;
-- Portal cannot read password hashes. It changes names and languages, and completes the accounts of guests; a trigger
-- prevents it from changing the credentials of others.
grant select (
    id, email, email_key, display_name, locale, role, signup, password_scheme, password_version, email_verified_at,
    is_contested, is_disabled, disabled_until, expires_at, content_expired_at, expires_at_before, new_password_required,
    two_factor_required, is_service, session_limit, created_at, last_login_at),
  insert (id, email, email_key, locale, role, signup),
  update (
    display_name, locale, signup, password_hash, password_scheme, password_version, email_verified_at,
    new_password_required, expires_at, content_expired_at, expires_at_before)
  on account to gatehouse_portal;
-- Whoever invites an address withdraws a registration of it that nobody has verified.
grant execute on function withdraw_registrations(uuid[]) to gatehouse_portal, gatehouse_admin;
grant update (email, email_key, is_contested) on account to gatehouse_core;
-- Rights can distinguish columns, but not values: this trigger prevents Core and Portal from creating or removing an
-- administrator.
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
  -- Create triggers only once: that waits for all transactions that write to accounts, and blocks others meanwhile.
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
  -- Core and Portal may not remove users: otherwise they could give a user's address to somebody else.
  if not exists (
    select from pg_trigger where tgname = 'account_user_removal' and tgrelid = 'account'::regclass
  ) then
    create trigger account_user_removal before delete on account
      for each row when (old.role = 'User') execute function refuse_administrator();
  end if;
  -- Portal creates only guests, who wait for their invitation; accounts of people who register are created by Core.
  if not exists (
    select from pg_trigger where tgname = 'account_guest' and tgrelid = 'account'::regclass
  ) then
    create trigger account_guest before insert on account
      for each row when (new.role = 'User' or new.signup <> 'invitation') execute function refuse_portal();
  end if;
end $$;
grant insert, update on account to gatehouse_admin;
-- Who says that an account is in a group. A trigger derives account.groups from it.
grant select on account_group to gatehouse_core;
grant select, insert, delete on account_group to gatehouse_admin;
-- Whether an inviter may still invite, which determines whether a link in a mail works; no email, name or password.
grant select (id, is_disabled, disabled_until, expires_at) on account to gatehouse_mail_worker;

grant select, insert, update, delete on account_code to gatehouse_core, gatehouse_admin;
-- Portal invalidates the codes of a guest who completes an account or starts over.
grant select (account_id, expires_at), delete on account_code to gatehouse_portal;
-- Core handles requests for erasure by owners, and their cancellation, with functions that require the mailed code and
-- link. Admin handles all others, and only Admin erases, with a function that does only this and checks whether the
-- erasure is due.
grant select (
    id, account_id, asked_at, asked_by_kind, asked_by, erases_at, was_disabled, restored_at, erased_at, counts)
  on erasure to gatehouse_core;
grant execute on function begin_own_erasure(uuid, uuid, uuid, integer, bytea), take_back_own_erasure(bytea)
  to gatehouse_core;
grant select, insert (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash),
  update (restored_at, restore_hash, was_disabled, was_disabled_until, erases_at, asked_by_kind, asked_by)
  on erasure to gatehouse_admin;
-- The mail worker does not record a mail to an account that was erased meanwhile, and does not send a link that is no
-- longer valid.
grant select (account_id, erased_at, restore_hash, counts) on erasure to gatehouse_mail_worker;
grant execute on function forget_account(uuid), forget_part(uuid, bigint), forget_late_mails() to gatehouse_admin;
grant execute on function exported_audit(uuid, integer), exported_mails(uuid, integer),
  exported_session_events(uuid, integer), exported_face_reviews(uuid, integer), exported_identities(uuid, integer)
  to gatehouse_core, gatehouse_admin;
revoke all on forgetting from public;
revoke all on late_mail_check from public;
-- Whether the code in a mail still works; not its hash.
grant select (account_id, id, tries_left, expires_at) on account_code to gatehouse_mail_worker;
-- Only Core creates and accepts codes that verify an email; the other services can invalidate and delete them.
grant select, insert, update, delete on earlier_verify_code to gatehouse_core;
grant select (account_id, id, tries_left, expires_at) on earlier_verify_code
  to gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
grant delete on earlier_verify_code to gatehouse_portal, gatehouse_admin;

-- Only Core mails and accepts codes for logging in; the other services can invalidate them.
grant select, insert, update (tries_left, tries), delete on login_code to gatehouse_core;
grant select (id, account_id, tries_left, expires_at) on login_code
  to gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
grant delete on login_code to gatehouse_portal, gatehouse_admin;
grant select, insert, update (tries_left) on login_code_request to gatehouse_core;
-- Only Portal can say which guest has just accepted an invitation; Core opens the session.
grant insert on guest_login to gatehouse_portal;
grant select, update (expires_at), delete on guest_login to gatehouse_core;

-- Whoever has a link that takes back a change of email gets the account: only Core creates and accepts them.
grant select, insert, delete on email_change to gatehouse_core;
-- Admin invalidates the links of an account whose email an administrator has changed.
grant select (account_id), delete on email_change to gatehouse_admin;
grant execute on function free_former_email(bytea), take_back_erasure_by_email(bytea) to gatehouse_core;
-- Whether the link in a mail still works.
grant select (token_hash, account_id, expires_at) on email_change to gatehouse_mail_worker;

-- Emails for which a code was requested, with or without an account, until the request has been handled.
grant select, insert, update (due_at), delete on reset_request to gatehouse_core;
-- Emails for which an invitation was requested again.
grant select, insert, update (due_at), delete on invitation_request to gatehouse_portal;

grant select, insert, update on mail_quota to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update, delete on address_mail_quota to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update, delete on login_throttle to gatehouse_core, gatehouse_admin;
-- A guest who completes an account or starts over does not wait for earlier failures.
grant select, delete on login_throttle to gatehouse_portal;

-- A session is deleted only with its account or long after its end, and never gets another owner.
grant update (status, end_reason, ended_at, version, last_seen_at, last_pinged_at, content_definition_id)
  on user_session to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert on user_session to gatehouse_core, gatehouse_admin;
-- Portal opens and refreshes no sessions: it cannot read what refresh tokens are derived from. When and how an owner was
-- authenticated is written by those who authenticate: Core and Admin.
grant select (
    id, account_id, status, is_exclusive, tag, version, sso_provider, device_name, user_agent, ip_address,
    content_definition_id, created_at, last_seen_at, last_pinged_at, expires_at, ended_at, end_reason)
  on user_session to gatehouse_portal;
-- Core and Portal may end sessions, but not revive them: otherwise a thief of a session's tokens could get access
-- again.
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
grant update (password_version) on user_session to gatehouse_core;
-- Written by version 1.0.0, and read by nobody else.
grant update (confirmed_at, confirmed_by) on user_session to gatehouse_core, gatehouse_admin;
-- Who confirms, opens dangerous actions: Core and Admin, which check the proof.
grant select, insert, update (confirmed_at, confirmed_by) on session_confirmation to gatehouse_core, gatehouse_admin;
grant update (is_exclusive, slot) on user_session to gatehouse_admin;
-- A token that takes over a slot opens a session, so Portal cannot read it. It removes those of an account whose sessions
-- it ends.
grant select, insert, delete on session_take_over to gatehouse_core, gatehouse_admin;
grant select (account_id, expires_at), delete on session_take_over to gatehouse_portal;
-- The history of sessions is only added to, never changed; only old entries are deleted.
grant insert on session_event to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select on session_event to gatehouse_admin;
-- To report the ends of sessions to clients, the reasons are not needed.
grant select (seq, xact, session_id, account_id, status, changed_at, token_expires_at)
  on session_event to gatehouse_core, gatehouse_portal;
-- Codes that open the account pages in an app's session: Core creates and accepts them.
grant select, insert, update (expires_at), delete on handover_code to gatehouse_core;
-- Only Admin decides who may open the console.
grant select, insert, update (expires_at), delete on console_code to gatehouse_admin;
grant select, insert, delete on live_session_outbox to gatehouse_core, gatehouse_portal, gatehouse_admin;

grant select, insert, update (published_at, publications, publish_after), delete
  on outbox to gatehouse_core, gatehouse_portal, gatehouse_admin;
-- The mail worker removes recorded mails from the outbox; it may not read anything else there.
grant select (id), delete on outbox to gatehouse_mail_worker;
grant select, insert, update, delete on mail_delivery to gatehouse_mail_worker;
grant select, update (status, tries_forgiven, retried_at, next_try_at, claimed_until, parked_at)
  on mail_delivery to gatehouse_admin;

grant select on content_definition to gatehouse_core, gatehouse_portal;
-- Postgres requires a right to update for locking a row, as Portal does when it invites; this column gives the least.
grant update (updated_at) on content_definition to gatehouse_portal;
grant select, insert, update, delete on content_definition to gatehouse_admin;
grant select on content_access to gatehouse_core;
grant select, insert, update (granted_by, granted_at, invited_email, expires_at), delete
  on content_access to gatehouse_portal, gatehouse_admin;
grant select on invitation to gatehouse_core;
grant select, insert, update on invitation to gatehouse_portal, gatehouse_admin;
-- Whether the link in a mail still works; not the hash of its token.
grant select (mail_event_id, accepted_at, deleted_at, expires_at, invited_by) on invitation to gatehouse_mail_worker;
grant select, insert, update on inviter_quota to gatehouse_portal, gatehouse_admin;

-- Core sets up and checks second factors; Admin checks those of administrators who log in to its console. Portal shows
-- whether there are any, and removes those of guests who start over (a trigger protects others).
grant select, insert, update, delete on two_factor to gatehouse_core, gatehouse_admin;
grant select (account_id, enabled_at), delete on two_factor to gatehouse_portal;
grant select, insert, update (used_at), delete on recovery_code to gatehouse_core, gatehouse_admin;
grant select (account_id, used_at), delete on recovery_code to gatehouse_portal;
grant select, insert, update (tries_left), delete on two_factor_challenge to gatehouse_core, gatehouse_admin;
grant select (account_id, expires_at), delete on two_factor_challenge to gatehouse_portal;

-- A passkey gives access to an account: only Core adds them, as only Core opens sessions for everybody. Admin accepts
-- passkeys at logins and removes lost ones. Portal checks whether there are any, and removes those of guests who start
-- over.
grant select, insert, update (name, sign_count, is_backup_eligible, is_backed_up, last_used_at), delete on passkey to gatehouse_core;
grant select, update (sign_count, is_backup_eligible, is_backed_up, last_used_at), delete on passkey to gatehouse_admin;
grant select (account_id), delete on passkey to gatehouse_portal;
grant select, insert, delete on webauthn_challenge to gatehouse_core, gatehouse_admin;
grant select (expires_at), delete on webauthn_challenge to gatehouse_portal;

-- All services count activity; Admin shows it and deletes old counts.
grant select, insert, update (count) on activity
  to gatehouse_core, gatehouse_portal, gatehouse_admin, gatehouse_mail_worker;
grant delete on activity to gatehouse_admin;

-- Only Core has access to persons and their faces. A decision about a face is never changed.
grant select, insert, update, delete on person to gatehouse_core;
grant select, insert, update, delete on face to gatehouse_core;
grant select, insert, update, delete on face_match to gatehouse_core;
grant select, insert on face_review to gatehouse_core;
grant select, insert, update (created_at), delete on person_purge to gatehouse_core;

-- Only Admin creates and revokes static tokens; all services check them and record their use.
grant select, update (last_used_at, last_used_ip) on api_token to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant insert, update (revoked_at, expires_at, replaced_by) on api_token to gatehouse_admin;
-- Only Admin registers applications. Only Core signs people in to them: Admin cannot read what refresh tokens are
-- derived from, and Portal sees nothing of it.
grant select on oauth_client to gatehouse_core;
-- Postgres requires a right to update for locking a row, as Core does when it signs somebody in; this column gives the
-- least.
grant update (created_at) on oauth_client to gatehouse_core;
grant select, insert, update, delete on oauth_client to gatehouse_admin;
-- Applications that say in a document what they are: Core asks for a document, the hook worker fetches it. It can answer
-- only what was asked for in the last seconds, and Core can make only public clients of it that are not trusted.
grant select, insert (url), update (wanted_at) on client_document to gatehouse_core;
grant execute on function take_client_documents(integer), answer_client_document(text, text, text, integer)
  to gatehouse_hook_worker;
grant execute on function adopt_agent(uuid, text, text, text[], text[], text[], uuid), forget_agents(text[], text[], text[])
  to gatehouse_core;
grant select, insert, update (client_session_id), delete on oauth_code to gatehouse_core;
grant select, insert, update (is_approved, poll_interval, polled_at), delete on device_authorization to gatehouse_core;
grant select, insert, delete,
  update (
    last_seen_at, refresh_current, refresh_next, refresh_next_at, refresh_overtaken, refresh_overtaken_at, ip_address,
    user_agent)
  on client_session to gatehouse_core;
grant select (
    id, client_id, account_id, session_id, scopes, resource, ends_at, created_at, last_seen_at, ip_address, user_agent),
  delete
  on client_session to gatehouse_admin;
grant execute on function end_grants(uuid[], text) to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select, insert, update (scopes, granted_at), delete on oauth_consent to gatehouse_core;
grant select on oauth_consent to gatehouse_admin;
-- Only triggers write it.
revoke all on signed_out_client from public;
-- Links between accounts and identities at identity providers, for sign-ons.
grant select, insert, update (email_digest), delete on sso_identity to gatehouse_admin;
-- A linked identity gives access to an account, like a passkey. Core adds one on behalf of its owner, after Admin has
-- verified the sign-on.
grant select, insert, delete on sso_identity to gatehouse_core;
grant select, insert, delete on identity_link to gatehouse_core;
grant select (ticket_hash, provider, code_hash, expires_at), update (code_hash, issuer, subject, expires_at)
  on identity_link to gatehouse_admin;
-- Only Admin can say who has signed on; Core opens the session if it is for the account pages.
grant select, insert, update (expires_at, take_over_hash, password_version), delete on sign_on_code to gatehouse_admin;
grant select, update (expires_at, take_over_hash, password_version), delete on sign_on_code to gatehouse_core;
-- Portal invalidates those of a guest whose sessions it ends.
grant select (account_id), delete on sign_on_code to gatehouse_portal;
grant select, delete on sso_attempt to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant insert on sso_attempt to gatehouse_admin;

-- Webhooks. Admin creates them and sends a parked delivery again; only the hook worker records and sends deliveries. It
-- sees no account, and can only disable a webhook. Core signs what tells applications of the end of a session, and cannot
-- change what webhooks get.
grant select, insert, delete,
  update (
    name, url, types, secret, former_secret, former_secret_until, is_enabled, disabled_reason, disabled_at, is_reported,
    failing_since)
  on webhook to gatehouse_admin;
grant select, update (
    status, tries_forgiven, retried_at, next_try_at, claimed_until, parked_at, last_error)
  on hook_delivery to gatehouse_admin;
grant select (id, url, types, is_enabled, failing_since, secret, former_secret, former_secret_until),
  update (is_enabled, disabled_reason, disabled_at, is_reported, failing_since)
  on webhook to gatehouse_hook_worker;
grant select, delete, insert (id, webhook_id, event_id, type, body, trace_id, traceparent),
  update (
    status, tries, last_error, next_try_at, claimed_until, sent_at, parked_at, status_code, duration_ms)
  on hook_delivery to gatehouse_hook_worker;
grant select (id, backchannel_logout_uri) on oauth_client to gatehouse_hook_worker;
grant select (
    id, client_id, account_id, session_id, status, next_try_at, claimed_until, created_at, retried_at, token_expires_at),
  update (logout_token, token_expires_at, gives_up_at)
  on hook_delivery to gatehouse_core;

-- The audit: every service that changes something adds to it, none can change it, and administrators read it.
grant insert on audit to gatehouse_core, gatehouse_portal, gatehouse_admin;
grant select on audit to gatehouse_admin;
-- Sign-ins are recorded where people sign in, and never changed. Core shows an owner the own ones.
grant insert on sign_in to gatehouse_core, gatehouse_admin;
grant select (id, at, account_id, method, provider, result, reason, ip_address, user_agent, count)
  on sign_in to gatehouse_core;
grant select on sign_in to gatehouse_admin;
-- Old rows are deleted by these functions, which never delete rows that are younger than their own minimum age. The
-- owner of the tables sets that of the audit.
revoke all on audit_bound from public;
grant execute on function forget_sessions(int, int), forget_session_events(int, int), forget_audit(int, int), forget_sign_ins(int, int)
  to gatehouse_admin;

-- The rights to call functions are granted above. By default, Postgres also lets everyone call a new function, which
-- this revokes. Triggers need no such right, and functions of extensions are not ours.
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
