-- Who may write to erasures, and when (docs/erasure.md): an owner's wish is Core's to note with the code that was mailed, and to
-- take back with the secret of the link, and nobody is rid of the last administrator.

-- What has ended stays as it ended, and what is to come only comes sooner.
create function keep_erasure() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if old.restored_at is not null or old.erased_at is not null then
    raise exception 'permission denied to change an erasure that has ended' using errcode = 'insufficient_privilege';
  end if;
  if new.erases_at > old.erases_at or (old.was_disabled and not new.was_disabled)
    or (new.restore_hash is not null and new.restore_hash is distinct from old.restore_hash)
  then
    raise exception 'permission denied to defer an erasure, or to give it another way back'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
revoke all on function keep_erasure() from public;
create trigger erasure_keep before update on erasure for each row execute function keep_erasure();

-- Whether another administrator can log in, now and for good.
create function has_other_administrator(besides uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog as $$
  select exists (
    select from public.account a
    where a.role = 'Admin' and a.id <> besides and not a.is_disabled and a.expires_at is null
      and a.signup = 'complete' and a.email_verified_at is not null)
$$;
revoke all on function has_other_administrator(uuid) from public;

-- What a restored backup brings back is closed and erased, whoever it was: another administrator can be made then.
create or replace function begin_erasure() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
declare
  is_administrator boolean;
begin
  select a.is_disabled,
    a.role = 'Admin' and not a.is_disabled and a.expires_at is null and a.signup = 'complete'
      and a.email_verified_at is not null
  into new.was_disabled, is_administrator
  from public.account a where a.id = new.account_id for update;
  if not found then
    raise exception 'no such account' using errcode = 'foreign_key_violation';
  end if;
  if is_administrator and new.asked_by_kind <> 'System' and not public.has_other_administrator(new.account_id) then
    raise exception 'permission denied to erase the last administrator' using errcode = 'insufficient_privilege';
  end if;
  update public.account a set is_disabled = true where a.id = new.account_id and not a.is_disabled;
  return new;
end $$;

-- Notes the wish of an owner, whose living code it uses up; null where that is used or void, or an erasure pending.
create function begin_own_erasure(erasure_id uuid, own_id uuid, code_id uuid, days integer, link_hash bytea)
  returns timestamptz
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  due timestamptz;
begin
  -- The lock under which administrators are removed, one at a time.
  perform pg_advisory_xact_lock(7114201983);
  perform from public.account a where a.id = own_id for update;
  if exists (
    select from public.erasure e where e.account_id = own_id and e.restored_at is null and e.erased_at is null
  ) then
    return null;
  end if;
  delete from public.account_code c
  where c.account_id = own_id and c.purpose = 'erase' and c.id = code_id and c.expires_at > now();
  if not found then
    return null;
  end if;
  insert into public.erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
  values (erasure_id, own_id, 'Account', own_id, now() + make_interval(days => greatest(days, 0)), link_hash)
  returning erases_at into due;
  return due;
end $$;
revoke all on function begin_own_erasure(uuid, uuid, uuid, integer, bytea) from public;

-- Takes back the pending erasure whose link has this secret, and returns its account; null where there is none.
create function take_back_own_erasure(link_hash bytea) returns uuid
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  own_id uuid;
begin
  select e.account_id into own_id from public.erasure e
  where e.restore_hash = link_hash and e.restored_at is null and e.erased_at is null;
  -- The account before its erasure, as everywhere: whoever comes second finds nothing to take back.
  perform from public.account a where a.id = own_id for update;
  update public.erasure e set restored_at = now(), restore_hash = null
  where e.account_id = own_id and e.restore_hash = link_hash and e.restored_at is null and e.erased_at is null;
  if not found then
    return null;
  end if;
  return own_id;
end $$;
revoke all on function take_back_own_erasure(bytea) from public;

-- Erases an account whose time has come, in the transaction of its caller: its rows, and what is personal in the tables
-- that are never changed otherwise. Returns how many rows of each table that took; null where nothing is due, a
-- session has not ended everywhere yet, or it is an administrator's and no other one can log in for good.
create or replace function forget_account(forgotten uuid) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  due record;
  address_key text;
  throttle_keys text[];
  removed jsonb := '{}';
  name text;
  changed bigint;
begin
  select a.email_key into address_key from public.account a where a.id = forgotten for update;
  select e.id, e.asked_by_kind, e.asked_by into due
  from public.erasure e
  where e.account_id = forgotten and e.restored_at is null and e.erased_at is null and e.erases_at <= now()
  for update;
  if not found or exists (
    select from public.user_session s
    where s.account_id = forgotten and (
      s.ended_at is null or exists (select from public.live_session_outbox o where o.session_id = s.id))
  ) or (
    due.asked_by_kind <> 'System' and exists (select from public.account a where a.id = forgotten and a.role = 'Admin')
    and not public.has_other_administrator(forgotten)
  ) then
    return null;
  end if;

  insert into public.forgetting (transaction_id) values (pg_current_xact_id());
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.actor_id = forgotten and (a.ip_address is not null or a.details ? 'Reason');
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.target_id = forgotten and (a.ip_address is not null or a.details ? 'Reason');
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.target_kind <> 'Account' and (a.ip_address is not null or a.details ? 'Reason')
    and case when a.action = 'session.ended' then a.actor_id::text else a.details ->> 'UserId' end = forgotten::text;
  -- Reasons of changes to sessions are in the words of whoever made them.
  update public.session_event e set reason = 'erased' where e.account_id = forgotten;
  with said as (
    update public.session_event e set reason = 'administrator'
    where e.changed_by = forgotten and e.changed_by <> e.account_id
    returning e.session_id
  )
  update public.user_session s set end_reason = 'administrator'
  where s.id in (select session_id from said) and s.ended_at is not null;
  delete from public.forgetting f where f.transaction_id = pg_current_xact_id();
  update public.face_review r set reason = null where r.decided_by = forgotten and r.reason is not null;
  update public.face_match m set reason = null where m.decided_by = forgotten and m.reason is not null;

  -- What is not the account's own goes on without it; the rest goes with it.
  update public.content_definition c set owner_id = null where c.owner_id = forgotten;
  get diagnostics changed = row_count;
  if changed > 0 then
    removed := removed || jsonb_build_object('content_definition', changed);
  end if;
  foreach name in array array[
    'account_code', 'earlier_verify_code', 'email_change', 'mail_quota', 'handover_code', 'console_code', 'identity_link',
    'webauthn_challenge', 'two_factor_challenge', 'recovery_code', 'two_factor', 'passkey', 'sso_identity',
    'content_access', 'invitation', 'mail_delivery', 'user_session'
  ] loop
    execute format('delete from public.%I where account_id = $1', name) using forgotten;
    get diagnostics changed = row_count;
    if changed > 0 then
      removed := removed || jsonb_build_object(name, changed);
    end if;
  end loop;
  delete from public.inviter_quota q where q.inviter_id = forgotten;
  -- Events without a mail hold ids alone, and others wait for them.
  delete from public.outbox o
  where o.event #>> '{data,UserId}' = forgotten::text and o.event #> '{data,Mail}' is not null;
  throttle_keys := array[format('["second-factor","%s"', forgotten)];
  if address_key is not null then
    throttle_keys := throttle_keys || format('["email",%s', to_json(address_key));
    delete from public.reset_request r where r.email_key = address_key;
    delete from public.invitation_request r where r.email_key = address_key;
    delete from public.address_mail_quota q where q.email_key = address_key;
  end if;
  delete from public.login_throttle t
  using unnest(throttle_keys) key
  where starts_with(t.email_key, key || ',') or t.email_key = key || ']';
  delete from public.account a where a.id = forgotten;
  get diagnostics changed = row_count;
  if changed > 0 then
    removed := removed || jsonb_build_object('account', changed);
  end if;

  update public.erasure e set erased_at = now(), restore_hash = null, counts = removed
  where e.id = due.id;
  insert into public.audit (id, action, actor_kind, actor_id, target_kind, target_id, details)
  values (
    -- A UUID of version 7 (RFC 9562, section 5.7).
    encode(set_byte(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      6, 112 + floor(random() * 16)::integer), 'hex')::uuid,
    'account.erased', due.asked_by_kind, due.asked_by, 'Account', forgotten, jsonb_build_object('Counts', removed));
  return removed;
end $$;
