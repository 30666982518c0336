-- Erasures of accounts, requested, completed or cancelled, and who may change them when (docs/erasure.md). Only ids,
-- times and numbers.

create table erasure (
  -- Version 7, so in the order of time.
  id uuid primary key,
  -- No foreign key, because it remains when the account is deleted.
  account_id uuid not null,
  asked_at timestamptz not null default now(),
  asked_by_kind text not null check (asked_by_kind in ('Account', 'ApiToken', 'System')),
  asked_by uuid,
  -- Until then it can be cancelled.
  erases_at timestamptz not null,
  -- The hash of the secret in the link that cancels it. Null: no link was mailed, or it no longer works.
  restore_hash bytea unique,
  -- Whether the account was disabled already, so that it remains disabled after a cancellation.
  was_disabled boolean not null default false,
  -- When that would have ended by itself.
  was_disabled_until timestamptz,
  restored_at timestamptz,
  erased_at timestamptz,
  -- The number of rows of each table that were erased. Null: erasing has not begun.
  counts jsonb,
  constraint erasure_asked_by check ((asked_by is null) = (asked_by_kind = 'System')),
  constraint erasure_one_end check (restored_at is null or erased_at is null)
);
create unique index erasure_pending on erasure (account_id) where restored_at is null and erased_at is null;
create index erasure_due on erasure (erases_at) where restored_at is null and erased_at is null;
create index erasure_account on erasure (account_id, id desc);
create index erasure_erased on erasure (erased_at) where erased_at is not null;

-- Whether another administrator can log in, and has no expiry.
create function has_other_administrator(besides uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog as $$
  select exists (
    select from public.account a
    where a.role = 'Admin' and a.id <> besides and not public.is_disabled_now(a.is_disabled, a.disabled_until) and a.expires_at is null
      and a.signup = 'complete' and a.email_verified_at is not null)
$$;

-- Disables an account that is to be erased. Otherwise only Admin may disable accounts. The last administrator is
-- refused, except to erase:replay after a backup was restored, because another administrator can be created then.
create function begin_erasure() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
declare
  is_administrator boolean;
begin
  select disabled.now, case when disabled.now then a.disabled_until end,
    a.role = 'Admin' and not disabled.now and a.expires_at is null and a.signup = 'complete'
      and a.email_verified_at is not null
  into new.was_disabled, new.was_disabled_until, is_administrator
  from public.account a, lateral (select public.is_disabled_now(a.is_disabled, a.disabled_until)) as disabled (now)
  where a.id = new.account_id for update of a;
  if not found then
    raise exception 'no such account' using errcode = 'foreign_key_violation';
  end if;
  if is_administrator and new.asked_by_kind <> 'System' and not public.has_other_administrator(new.account_id) then
    raise exception 'permission denied to erase the last administrator' using errcode = 'insufficient_privilege';
  end if;
  -- Nothing may open the account before it is erased, so that this has no end.
  update public.account a set is_disabled = true, disabled_until = null
  where a.id = new.account_id and (not a.is_disabled or a.disabled_until is not null);
  return new;
end $$;
create trigger erasure_begin before insert on erasure for each row execute function begin_erasure();

-- An account stays disabled until it is erased, or the erasure is cancelled. Whoever enables it has locked its row, so
-- this sees every erasure that was requested before.
create function refuse_enabling() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  if exists (
    select from public.erasure e where e.account_id = new.id and e.restored_at is null and e.erased_at is null
  ) then
    raise exception 'permission denied to enable an account that is to be erased'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger account_closed before update of is_disabled, disabled_until on account for each row
  when (old.is_disabled and (not new.is_disabled or new.disabled_until is not null))
  execute function refuse_enabling();

-- A completed or cancelled erasure does not change any more. A pending one can only be made due earlier, and cannot be
-- cancelled after its first part has been erased (then it has counts).
create function keep_erasure() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if old.restored_at is not null or old.erased_at is not null then
    raise exception 'permission denied to change an erasure that has ended' using errcode = 'insufficient_privilege';
  end if;
  if new.erases_at > old.erases_at or (old.was_disabled and not new.was_disabled)
    or (new.was_disabled_until is not null and new.was_disabled_until is distinct from old.was_disabled_until)
    or (new.restore_hash is not null and new.restore_hash is distinct from old.restore_hash)
  then
    raise exception 'permission denied to defer an erasure, or to give it another way back'
      using errcode = 'insufficient_privilege';
  end if;
  if old.counts is not null and new.restored_at is not null then
    -- The update then finds no row, as if there were no erasure to cancel.
    return null;
  end if;
  return new;
end $$;
create trigger erasure_keep before update on erasure for each row execute function keep_erasure();

-- Makes the account what it was if an erasure is cancelled: enabled, or disabled as long as it would have been.
create function take_back_erasure() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  update public.account a
  set is_disabled = new.was_disabled, disabled_until = new.was_disabled_until,
    disabled_reason = case when new.was_disabled then a.disabled_reason end,
    tells_reason = new.was_disabled and a.tells_reason
  where a.id = new.account_id;
  return null;
end $$;
create trigger erasure_take_back after update of restored_at on erasure for each row
  when (old.restored_at is null and new.restored_at is not null)
  execute function take_back_erasure();

-- Records an owner's request and uses up the mailed code. Returns when the account will be erased; null if the code is
-- used or void, or an erasure is pending.
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

-- Cancels the pending erasure whose link has this secret. Returns its account; null if there is none.
create function take_back_own_erasure(link_hash bytea) returns uuid
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  own_id uuid;
begin
  select e.account_id into own_id from public.erasure e
  where e.restore_hash = link_hash and e.restored_at is null and e.erased_at is null;
  -- Locks the account before its erasure, as everywhere. Of two simultaneous requests, the second one finds nothing.
  perform from public.account a where a.id = own_id for update;
  update public.erasure e set restored_at = now(), restore_hash = null
  where e.account_id = own_id and e.restore_hash = link_hash and e.restored_at is null and e.erased_at is null;
  if not found then
    return null;
  end if;
  return own_id;
end $$;

-- Cancels an erasure that was requested in the owner's name since the change of email that this link takes back, because
-- whoever changed the email may have requested it. Returns the account's id; null if there is none.
create function take_back_erasure_by_email(link_hash bytea) returns uuid
  language sql volatile security definer set search_path = pg_catalog as $$
  update public.erasure e
  set restored_at = now(), restore_hash = null
  from public.email_change c
  where c.token_hash = link_hash and c.expires_at > now()
    and e.account_id = c.account_id and e.asked_by_kind = 'Account' and e.asked_by = c.account_id
    and e.asked_at >= c.changed_at and e.restored_at is null and e.erased_at is null
  returning e.account_id
$$;

-- The reason of a change to a session is free text of the person who made it, so it is removed from events of an erased
-- account that have not been published yet.
create function forget_event_reasons() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  update public.outbox o
  set event = o.event #- '{data,Reason}'
  where o.event #>> '{data,UserId}' = new.account_id::text and o.event #> '{data,Reason}' is not null;
  return null;
end $$;
create trigger erasure_done after update of erased_at on erasure for each row
  when (old.erased_at is null and new.erased_at is not null)
  execute function forget_event_reasons();

-- Erased accounts whose mails must still be looked for. The mail worker may record a mail while its account is being
-- erased, but not long after: a statement takes seconds at most, and an erasure a little over a minute. So each erased
-- account is checked during its first seconds, and once when no mail can follow, however many accounts were erased
-- before.
create table late_mail_check (
  account_id uuid not null,
  erased_at timestamptz not null
);
create index late_mail_check_erased on late_mail_check (erased_at);

create function note_late_mail_check() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  insert into public.late_mail_check (account_id, erased_at) values (new.account_id, clock_timestamp());
  return null;
end $$;
create trigger erasure_late_mails after update of erased_at on erasure for each row
  when (old.erased_at is null and new.erased_at is not null)
  execute function note_late_mail_check();

-- Deletes recorded mails of accounts that were erased meanwhile, for up to 10,000 accounts. Returns how many.
create function forget_late_mails() returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  checked uuid[];
  removed bigint;
begin
  with settled as (
    delete from public.late_mail_check c
    where c.ctid = any(array(
      select b.ctid from public.late_mail_check b
      where b.erased_at < now() - interval '2 minutes'
      order by b.erased_at
      limit 5000
      for update skip locked))
    returning c.account_id
  )
  select array_agg(t.account_id) into checked
  from (
    select s.account_id from settled s
    union all
    (
      select c.account_id from public.late_mail_check c
      where c.erased_at > now() - interval '30 seconds'
      order by c.erased_at desc
      limit 5000
    )
  ) t;
  if checked is null then
    return 0;
  end if;
  delete from public.mail_delivery d where d.account_id = any(checked) and d.kind <> 'account-erased';
  get diagnostics removed = row_count;
  return removed;
end $$;
