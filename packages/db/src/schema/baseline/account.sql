-- Accounts, and which credentials Portal must not change.

-- Ships with Postgres. The owner of a database may create it, because it is a trusted extension.
create extension if not exists pg_trgm;

-- Whether an account is disabled now: it may end by itself. The one place that decides this, for all queries; Postgres
-- puts its text into them, so that they can use indexes.
create function is_disabled_now(is_disabled boolean, disabled_until timestamptz) returns boolean
  language sql stable parallel safe
  return is_disabled and (disabled_until is null or disabled_until > now());

create table account (
  id uuid primary key,
  email text not null,
  -- The email in the spelling by which emails are compared.
  email_key text not null,
  display_name text,
  locale text not null default 'en',
  role text not null default 'User' check (role in ('User', 'Guest', 'Admin')),
  -- What a sign-up waits for: `new` and `migration` for the owner of an account that an administrator created or
  -- imported, `invitation` for a guest to accept one.
  signup text not null default 'complete' check (signup in ('complete', 'new', 'migration', 'invitation')),
  password_hash text,
  -- `peppered`: our own hash, with a key; `raw`: bcrypt as imported; `foreign`: another slow hash as imported;
  -- `wrapped`: our own hash of a fast hash that was imported (docs/passwords.md).
  password_scheme text check (password_scheme in ('peppered', 'raw', 'foreign', 'wrapped')),
  -- Raised when the password changes, but not when only its hash is renewed.
  password_version integer not null default 0,
  email_verified_at timestamptz,
  -- Together with disabled_until: ask is_disabled_now.
  is_disabled boolean not null default false,
  -- When that ends by itself. Null: when an administrator ends it.
  disabled_until timestamptz,
  -- Why, in the words of the administrator, and whether the owner reads them at the login.
  disabled_reason text,
  tells_reason boolean not null default false,
  expires_at timestamptz,
  new_password_required boolean not null default false,
  two_factor_required boolean not null default false,
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  -- Registered with two different passwords before its email was verified: neither of them may open it.
  is_contested boolean not null default false,
  -- Set when a guest expires because no content is left. While it equals expires_at, an invitation revives the guest;
  -- otherwise an administrator has set the expiry, which an invitation must not undo.
  content_expired_at timestamptz,
  -- The earlier expires_at of such a guest, which an invitation restores.
  expires_at_before timestamptz,
  -- A program's account: its sessions live side by side, it gets no mails, and no second factor is required.
  is_service boolean not null default false,
  -- How many sessions of each tag this person may have. Null: as the installation says.
  session_limit smallint check (session_limit between 1 and 20),
  -- Random bytes by which authenticators know the account; created with its first passkey.
  webauthn_user_handle bytea unique,
  -- Labels that administrators give, by which applications decide who may sign in and what they may do there.
  groups text[] not null default '{}',
  constraint account_email_key unique (email_key),
  constraint account_password check ((password_hash is null) = (password_scheme is null)),
  constraint account_groups check (cardinality(groups) <= 50),
  constraint account_disabled_facts check (
    is_disabled or (disabled_until is null and disabled_reason is null and not tells_reason)),
  constraint account_service check (not is_service or (role = 'User' and not two_factor_required))
);

-- The console searches accounts by a part of their email or name.
create index account_search on account using gin (lower(email || ' ' || coalesce(display_name, '')) gin_trgm_ops);
-- The console's list of accounts, newest first, filtered by one condition.
create index account_role on account (role, id desc);
create index account_signup on account (signup, id) where signup <> 'complete';
create index account_unverified on account (id) where signup = 'complete' and email_verified_at is null;
create index account_disabled on account (id) where is_disabled;
create index account_disabled_until on account (disabled_until) where disabled_until is not null;
create index account_expiring on account (id) where expires_at is not null;
create index account_new_password on account (id) where new_password_required;
create index account_two_factor_required on account (id) where two_factor_required;
create index account_service on account (id) where is_service;
create index account_groups on account using gin (groups);
create index account_without_password on account (id) where password_hash is null;
-- Guests without content, in the order in which they are erased.
create index account_content_expired on account (content_expired_at) where content_expired_at is not null;
-- Every failed login asks for the highest cost of all hashes.
create index account_password_cost on account (substr(password_hash, 5, 2)) where password_hash is not null;

-- Refuses a statement of Portal. Functions with `security definer` pass, because they run as their owner.
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

-- Rights can distinguish columns, but not rows. Portal sets credentials only of guests: when one accepts an invitation,
-- and to make a guest wait for one again, without a password.
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

-- A guest who starts over loses second factors; Portal must not remove those of others.
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
