-- Erasing an account: at once with forget_account, or in parts with forget_part if it has too many rows for one
-- transaction (docs/erasure.md).

-- The erasure of an account that can be erased now, locked with the account. Null if none is due, a session has not
-- ended everywhere yet, or it is the last administrator's, unless erase:replay requested it.
create function erasure_that_is_due(forgotten uuid) returns erasure
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  due public.erasure;
begin
  perform from public.account a where a.id = forgotten for update;
  select e.* into due
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
  return due;
end $$;

-- Adds numbers of rows by table.
create function sum_of_counts(earlier jsonb, later jsonb) returns jsonb
  language sql immutable set search_path = pg_catalog as $$
  select coalesce(jsonb_object_agg(t.name, t.total), '{}')
  from (
    select c.key as name, sum(c.value::bigint) as total
    from (
      select key, value from jsonb_each_text(coalesce(earlier, '{}'))
      union all
      select key, value from jsonb_each_text(later)
    ) c
    group by c.key
  ) t
$$;

-- Does a part of forget_account: up to rows_max rows, in the tables of which an account may have very many. Returns the
-- number of rows; null if the account cannot be erased now.
create function forget_part(forgotten uuid, rows_max bigint) returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  due public.erasure;
  room bigint := least(rows_max, 10000);
  removed jsonb := '{}';
  name text;
  changed bigint;
begin
  select * into due from public.erasure_that_is_due(forgotten);
  if due.id is null then
    return null;
  end if;

  insert into public.forgetting (transaction_id) values (pg_current_xact_id());
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.ctid = any(array(
    select b.ctid from public.audit b
    where b.actor_id = forgotten and (b.ip_address is not null or b.details ? 'Reason')
    limit room));
  get diagnostics changed = row_count;
  room := room - changed;
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.ctid = any(array(
    select b.ctid from public.audit b
    where b.target_id = forgotten and (b.ip_address is not null or b.details ? 'Reason')
    limit room));
  get diagnostics changed = row_count;
  room := room - changed;
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.ctid = any(array(
    select b.ctid from public.audit b
    where b.target_kind <> 'Account' and (b.ip_address is not null or b.details ? 'Reason')
      and case when b.action = 'session.ended' then b.actor_id::text else b.details ->> 'UserId' end = forgotten::text
    limit room));
  get diagnostics changed = row_count;
  room := room - changed;
  update public.session_event e set reason = 'erased'
  where e.ctid = any(array(
    select f.ctid from public.session_event f
    where f.account_id = forgotten and f.reason is distinct from 'erased'
    limit room));
  get diagnostics changed = row_count;
  room := room - changed;
  with said as (
    update public.session_event e set reason = 'administrator'
    where e.ctid = any(array(
      select f.ctid from public.session_event f
      where f.changed_by = forgotten and f.changed_by <> f.account_id and f.reason is distinct from 'administrator'
      limit room))
    returning e.session_id
  ), told as (
    update public.user_session s set end_reason = 'administrator'
    where s.id in (select session_id from said) and s.ended_at is not null
  )
  select count(*) into changed from said;
  room := room - changed;
  delete from public.forgetting f where f.transaction_id = pg_current_xact_id();
  update public.face_review r set reason = null
  where r.ctid = any(array(
    select s.ctid from public.face_review s where s.decided_by = forgotten and s.reason is not null limit room));
  get diagnostics changed = row_count;
  room := room - changed;
  update public.face_match m set reason = null
  where m.ctid = any(array(
    select n.ctid from public.face_match n where n.decided_by = forgotten and n.reason is not null limit room));
  get diagnostics changed = row_count;
  room := room - changed;
  foreach name in array array['content_access', 'invitation', 'mail_delivery', 'sign_in', 'user_session'] loop
    execute format(
      'delete from public.%1$I where ctid = any(array(select ctid from public.%1$I where account_id = $1 limit $2))', name)
      using forgotten, room;
    get diagnostics changed = row_count;
    room := room - changed;
    if changed > 0 then
      removed := removed || jsonb_build_object(name, changed);
    end if;
  end loop;

  update public.erasure e set counts = public.sum_of_counts(due.counts, removed) where e.id = due.id;
  return least(rows_max, 10000) - room;
end $$;

-- Erases an account: deletes its rows, and removes its personal data from tables that are otherwise never changed.
-- Returns the number of rows of each table; null if the account cannot be erased now.
create function forget_account(forgotten uuid) returns jsonb
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  due public.erasure;
  address_key text;
  throttle_keys text[];
  removed jsonb := '{}';
  name text;
  changed bigint;
begin
  select * into due from public.erasure_that_is_due(forgotten);
  if due.id is null then
    return null;
  end if;
  select a.email_key into address_key from public.account a where a.id = forgotten;

  insert into public.forgetting (transaction_id) values (pg_current_xact_id());
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.actor_id = forgotten and (a.ip_address is not null or a.details ? 'Reason');
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.target_id = forgotten and (a.ip_address is not null or a.details ? 'Reason');
  update public.audit a set ip_address = null, details = a.details - 'Reason'
  where a.target_kind <> 'Account' and (a.ip_address is not null or a.details ? 'Reason')
    and case when a.action = 'session.ended' then a.actor_id::text else a.details ->> 'UserId' end = forgotten::text;
  -- Reasons of changes to sessions are free text.
  update public.session_event e set reason = 'erased'
  where e.account_id = forgotten and e.reason is distinct from 'erased';
  with said as (
    update public.session_event e set reason = 'administrator'
    where e.changed_by = forgotten and e.changed_by <> e.account_id and e.reason is distinct from 'administrator'
    returning e.session_id
  )
  update public.user_session s set end_reason = 'administrator'
  where s.id in (select session_id from said) and s.ended_at is not null;
  delete from public.forgetting f where f.transaction_id = pg_current_xact_id();
  update public.face_review r set reason = null where r.decided_by = forgotten and r.reason is not null;
  update public.face_match m set reason = null where m.decided_by = forgotten and m.reason is not null;

  -- Content of the account remains without an owner; its own rows are deleted.
  update public.content_definition c set owner_id = null where c.owner_id = forgotten;
  get diagnostics changed = row_count;
  if changed > 0 then
    removed := removed || jsonb_build_object('content_definition', changed);
  end if;
  foreach name in array array[
    'account_code', 'earlier_verify_code', 'login_code', 'guest_login', 'email_change', 'mail_quota', 'handover_code',
    'console_code', 'identity_link', 'webauthn_challenge', 'two_factor_challenge', 'session_take_over', 'recovery_code',
    'two_factor', 'passkey', 'sso_identity', 'content_access', 'invitation', 'mail_delivery', 'sign_in', 'user_session'
  ] loop
    execute format('delete from public.%I where account_id = $1', name) using forgotten;
    get diagnostics changed = row_count;
    if changed > 0 then
      removed := removed || jsonb_build_object(name, changed);
    end if;
  end loop;
  delete from public.inviter_quota q where q.inviter_id = forgotten;
  -- Events without a mail contain only ids, and other systems need them.
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

  -- Together with what forget_part has removed before.
  removed := public.sum_of_counts(due.counts, removed);
  update public.erasure e set erased_at = now(), restore_hash = null, counts = removed
  where e.id = due.id;
  insert into public.audit (id, action, actor_kind, actor_id, target_kind, target_id, details)
  values (
    -- A UUID of version 7 (RFC 9562 §5.7).
    encode(set_byte(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
      6, 112 + floor(random() * 16)::integer), 'hex')::uuid,
    'account.erased', due.asked_by_kind, due.asked_by, 'Account', forgotten, jsonb_build_object('Counts', removed));
  return removed;
end $$;
