-- Accounts that are to be erased, and those that were (docs/erasure.md): ids, moments and numbers alone.

create table erasure (
  -- Version 7: in the order of time.
  id uuid primary key,
  -- No foreign key: it outlives the account.
  account_id uuid not null,
  asked_at timestamptz not null default now(),
  asked_by_kind text not null check (asked_by_kind in ('Account', 'ApiToken', 'System')),
  asked_by uuid,
  -- Until then it can be taken back.
  erases_at timestamptz not null,
  -- Of the secret in the link that takes it back; null where no link was mailed, and after it.
  restore_hash bytea unique,
  -- By an administrator, which taking it back leaves so.
  was_disabled boolean not null default false,
  restored_at timestamptz,
  erased_at timestamptz,
  -- How many rows of each table it took.
  counts jsonb,
  constraint erasure_asked_by check ((asked_by is null) = (asked_by_kind = 'System')),
  constraint erasure_one_end check (restored_at is null or erased_at is null)
);
create unique index erasure_pending on erasure (account_id) where restored_at is null and erased_at is null;
create index erasure_due on erasure (erases_at) where restored_at is null and erased_at is null;
create index erasure_account on erasure (account_id, id desc);
create index erasure_erased on erasure (erased_at) where erased_at is not null;

-- Until it is erased the account is disabled: that is Admin's to say everywhere else, so the table does it here.
create function begin_erasure() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  select a.is_disabled into new.was_disabled from public.account a where a.id = new.account_id for update;
  if not found then
    raise exception 'no such account' using errcode = 'foreign_key_violation';
  end if;
  update public.account a set is_disabled = true where a.id = new.account_id and not a.is_disabled;
  return new;
end $$;
revoke all on function begin_erasure() from public;
create trigger erasure_begin before insert on erasure for each row execute function begin_erasure();

create function take_back_erasure() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  update public.account a set is_disabled = new.was_disabled where a.id = new.account_id;
  return null;
end $$;
revoke all on function take_back_erasure() from public;
create trigger erasure_take_back after update of restored_at on erasure for each row
  when (old.restored_at is null and new.restored_at is not null)
  execute function take_back_erasure();

-- The code that confirms the wish is a code like any other, and none that Portal makes or changes.
alter table account_code
  drop constraint account_code_purpose_check,
  add constraint account_code_purpose_check
    check (purpose in ('verify', 'reset', 'change-email', 'two-factor', 'erase'));
create trigger account_code_erase before insert or update on account_code for each row
  when (new.purpose = 'erase')
  execute function refuse_portal();

-- What is looked up by account from now on.
create index mail_delivery_account on mail_delivery (account_id);
create index invitation_account on invitation (account_id);
create index invitation_inviter on invitation (invited_by) where invited_by is not null;
create index session_event_account on session_event (account_id, seq);
create index session_event_changed_by on session_event (changed_by) where changed_by <> account_id;
create index face_review_reason on face_review (decided_by) where reason is not null;
create index face_match_reason on face_match (decided_by) where reason is not null;

-- The transactions that `forget_account` runs in: nobody else may write here, and no row is ever committed.
create table forgetting (
  transaction_id xid8 primary key
);

-- What is append-only lets the update of `forget_account` through, and nothing else.
create or replace function refuse_change() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if tg_op = 'UPDATE'
    and exists (select from public.forgetting f where f.transaction_id = pg_current_xact_id())
  then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Erases an account whose time has come, in the transaction of its caller: its rows, and what is personal in the tables
-- that are never changed otherwise. Returns how many rows of each table that took; null where nothing is due, or a
-- session has not ended everywhere yet.
create function forget_account(forgotten uuid) returns jsonb
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
revoke all on function forget_account(uuid) from public;

-- Mails that were on their way to the worker when their account was erased: for a day after, what it wrote down of
-- them is removed. Returns how many.
create function forget_late_mails() returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  removed bigint;
begin
  delete from public.mail_delivery d
  using public.erasure e
  where e.erased_at > now() - interval '1 day' and d.account_id = e.account_id and d.kind <> 'account-erased';
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke all on function forget_late_mails() from public;

-- What an export holds and the exporting service may not read otherwise: of one account at a time, newest first.
create function exported_audit(account_id uuid, rows_max integer)
  returns table (at timestamptz, action text, is_own boolean, target_kind text, target_id uuid, ip_address text, details jsonb)
  language sql stable security definer set search_path = pg_catalog as $$
  select e.at, e.action, e.actor_id is not distinct from $1, e.target_kind, e.target_id,
    case when e.actor_id = $1 then host(e.ip_address) end, e.details
  from (
    (select * from public.audit a where a.actor_id = $1 order by a.id desc limit $2)
    union
    (select * from public.audit a where a.target_id = $1 order by a.id desc limit $2)
    union
    (select * from public.audit a
     where a.target_kind <> 'Account'
       and case when a.action = 'session.ended' then a.actor_id::text else a.details ->> 'UserId' end = $1::text
     order by a.id desc limit $2)
  ) e
  order by e.id desc
  limit $2
$$;
revoke all on function exported_audit(uuid, integer) from public;

create function exported_mails(account_id uuid, rows_max integer)
  returns table (kind text, email text, status text, created_at timestamptz, sent_at timestamptz)
  language sql stable security definer set search_path = pg_catalog as $$
  select d.kind, d.email, d.status, d.created_at, d.sent_at
  from public.mail_delivery d
  where d.account_id = $1
  order by d.id desc
  limit $2
$$;
revoke all on function exported_mails(uuid, integer) from public;

create function exported_session_events(account_id uuid, rows_max integer)
  returns table (session_id uuid, status smallint, changed_at timestamptz, is_own boolean, reason text)
  language sql stable security definer set search_path = pg_catalog as $$
  select e.session_id, e.status, e.changed_at, e.changed_by is not distinct from $1, e.reason
  from public.session_event e
  where e.account_id = $1
  order by e.seq desc
  limit $2
$$;
revoke all on function exported_session_events(uuid, integer) from public;

create function exported_face_reviews(account_id uuid, rows_max integer)
  returns table (face_id uuid, person_id uuid, type smallint, reason text, decided_at timestamptz)
  language sql stable security definer set search_path = pg_catalog as $$
  select r.face_id, r.person_id, r.type, r.reason, r.decided_at
  from public.face_review r
  where r.decided_by = $1
  order by r.id desc
  limit $2
$$;
revoke all on function exported_face_reviews(uuid, integer) from public;

create function exported_identities(account_id uuid, rows_max integer)
  returns table (provider text, issuer text, subject text, linked_at timestamptz)
  language sql stable security definer set search_path = pg_catalog as $$
  select i.provider, i.issuer, i.subject, i.linked_at
  from public.sso_identity i
  where i.account_id = $1
  order by i.linked_at desc
  limit $2
$$;
revoke all on function exported_identities(uuid, integer) from public;
