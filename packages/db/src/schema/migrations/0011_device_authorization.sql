-- A sign-in that a device without a browser has begun (RFC 8628), until somebody approves or denies it in a browser. Once
-- it is approved, there is an `oauth_code` whose hash is that of the device code.
create table device_authorization (
  -- The device's secret, which alone gets tokens.
  code_hash bytea primary key,
  -- What the device shows and people type, eight letters. It opens nothing: whoever types it gives something away.
  user_code text not null unique,
  -- The secret of the link that leads to it without typing.
  link_hash bytea not null unique,
  client_id uuid not null references oauth_client on delete cascade,
  scopes text[] not null,
  resource text,
  -- Where the device is.
  address_group text not null,
  is_approved boolean,
  -- In seconds; it grows when the device asks too often.
  poll_interval integer not null,
  polled_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index device_authorization_client on device_authorization (client_id);
create index device_authorization_expires on device_authorization (expires_at);

alter table oauth_client
  drop constraint oauth_client_grant_types,
  add constraint oauth_client_grant_types check (
    grant_types <@ array[
      'authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']);
