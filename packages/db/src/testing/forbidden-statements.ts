import type { ServiceName } from '../schema/grants.ts';

function statements(script: string): string[] {
  return script.split(';').map((statement) => statement.trim());
}

/** Statements that must fail for every role: services own no tables, and records cannot be changed. */
export const FORBIDDEN_TO_ALL = statements(`
  create table mine (id int); create temporary table mine (id int); create schema mine;
  create view mine as select 1; create function mine() returns int language sql as 'select 1';
  create extension pgcrypto; create role somebody; alter table account add column mine int;
  alter table audit disable trigger all; drop table account; truncate login_throttle;
  create index on account (locale); set role postgres; select name from migration; select lo_create(0);
  select lo_creat(-1); select lo_from_bytea(0, 'x'); select lo_put(1, 0, 'x');
  select pg_advisory_lock(1); select pg_try_advisory_lock_shared(1, 2);
  insert into late_mail_check values (gen_random_uuid(), now()); select * from forgetting;
  insert into forgetting (transaction_id) values (pg_current_xact_id()); update audit set details = '{}';
  update audit set ip_address = null;
  delete from audit; update session_event set reason = reason; update sign_in set reason = reason;
  delete from sign_in; delete from session_event; delete from user_session;
  update user_session set account_id = account_id; update user_session set expires_at = now();
  delete from api_token; update api_token set token_hash = token_hash; update api_token set role = role`);

/** Statements that must fail for Core and Portal, as only administrators may do this. */
const FORBIDDEN_TO_CORE_AND_PORTAL = statements(`
  update account set session_limit = 20; update user_session set slot = slot;
  insert into account (id, email, email_key, role) values (gen_random_uuid(), 'x', 'x', 'Admin');
  update account set role = 'Admin'; update account set is_disabled = false;
  update account set two_factor_required = false; update account set created_at = now();
  select action from audit; insert into api_token default values;
  update api_token set revoked_at = null; insert into content_definition default values;
  update content_definition set owner_id = null; delete from content_definition;
  update sso_identity set account_id = null; update identity_link set issuer = null;
  select email from mail_delivery; select reason from session_event;
  select changed_by from session_event`);

const FORBIDDEN_TO_ALL_BUT_ADMIN = statements(`
  select forget_sessions(400, 1); select forget_session_events(400, 1); select forget_audit(400, 1);
  select forget_sign_ins(400, 1)`);

export const FORBIDDEN: Record<ServiceName, string[]> = {
  core: [
    ...FORBIDDEN_TO_CORE_AND_PORTAL,
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      update account set expires_at = null; insert into invitation default values;
      insert into content_access default values; update email_change set account_id = account_id`),
    // Only Portal can say which guest has just accepted an invitation.
    'insert into guest_login (code_hash) values (null)',
    // Core makes clients of documents that the hook worker has fetched, and of nothing else.
    ...statements(`
      insert into oauth_client default values; update oauth_client set is_trusted = is_trusted;
      delete from oauth_client; update client_document set body = body;
      select answer_client_document('', '', '', 0)`),
    // Without the mailed code or link of its owner, Core can neither close an account nor reopen it.
    ...statements(`
      insert into erasure (id) values (gen_random_uuid()); update erasure set restored_at = null;
      update erasure set restored_at = now(); update erasure set restore_hash = null;
      select restore_hash from erasure`),
  ],
  portal: [
    // These would give permanent access to an account.
    ...statements(`
      insert into passkey (id) values (gen_random_uuid()); update passkey set public_key = public_key;
      insert into two_factor (account_id) values (gen_random_uuid());
      update two_factor set enabled_at = now(); select secret_sealed from two_factor;
      insert into recovery_code (account_id) values (gen_random_uuid());
      update recovery_code set used_at = null; select code_hash from recovery_code;
      insert into account_code (account_id) values (gen_random_uuid());
      update account_code set tries_left = 500; select code_hash from account_code`),
    // Only Core opens sessions with mailed codes, and with the codes that Portal gives to guests.
    ...statements(`
      insert into login_code (id) values (gen_random_uuid()); select code_hash from login_code;
      select request_hash from login_code_request;
      insert into login_code_request (request_hash) values (null); select code_hash from guest_login;
      update user_session set password_version = 0`),
    ...FORBIDDEN_TO_CORE_AND_PORTAL,
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      select password_hash from account; select a from account a;
      update account set display_name = password_hash; update account set email = email;
      update account set email_key = email_key; insert into account (password_hash) values (null);
      select former_email from email_change; insert into email_change (token_hash) values (null);
      delete from email_change; select name from person; delete from face;
      select refresh_current from user_session; select refresh_next from user_session;
      update user_session set refresh_next = refresh_next;
      update user_session set authenticated_at = now();
      update user_session set authenticated_by = '{passkey}';
      update user_session set confirmed_at = now(); update user_session set confirmed_by = '{passkey}';
      insert into session_confirmation default values;
      update session_confirmation set confirmed_at = now(); insert into user_session default values;
      select secret_sealed from two_factor_challenge; select token_hash from two_factor_challenge;
      select token_hash from session_take_over; insert into session_take_over default values`),
  ],
  admin: statements(`
    insert into login_code (id) values (gen_random_uuid()); select code_hash from login_code;
    insert into guest_login (code_hash) values (null); select token_hash from email_change;
    insert into email_change (token_hash) values (null); select name from person;
    insert into face default values; delete from api_token; insert into mail_delivery default values;
    update mail_delivery set event = event; insert into hook_delivery default values;
    update hook_delivery set body = body; delete from hook_delivery;
    update user_session set refresh_current = refresh_current; update client_session set ends_at = null`),
  'hook-worker': [
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      select id from account; select id from user_session; select event from outbox;
      insert into outbox default values; select event from mail_delivery;
      insert into webhook default values; delete from webhook; update webhook set url = url;
      update webhook set secret = secret; select created_at from webhook;
      insert into hook_delivery (client_id) values (null);
      update hook_delivery set session_id = session_id;
      update hook_delivery set logout_token = logout_token; select secret_hash from oauth_client;
      update oauth_client set redirect_uris = redirect_uris; select body from client_document;
      update client_document set body = body;
      insert into client_document (url) values ('https://x.example/');
      select adopt_agent(null, '', '', null, null, null, null); select session_id from client_session;
      select token_hash from api_token; insert into audit default values; select id from erasure`),
  ],
  'mail-worker': [
    ...FORBIDDEN_TO_ALL_BUT_ADMIN,
    ...statements(`
      select email from account; select password_hash from account;
      update account set is_disabled = is_disabled; delete from account;
      select code_hash from account_code; update account_code set tries_left = 5;
      select code_hash from login_code; insert into guest_login (code_hash) values (null);
      select former_email from email_change; select token_hash from invitation; select event from outbox;
      insert into outbox default values; select id from user_session;
      select secret_sealed from two_factor; select token_hash from api_token;
      insert into audit default values; select name from content_definition; select name from person`),
  ],
};
