-- When and how the owner of a session was authenticated: at its login, and by a later confirmation. Null if unknown: for
-- sign-ons whose provider does not say when it authenticated its user, and for sessions of earlier releases.
alter table user_session
  add column authenticated_at timestamptz,
  add column authenticated_by text[],
  add column confirmed_by text[],
  -- The passkey that opened the session, which may have been removed since.
  add column passkey_id uuid;
alter table user_session add constraint user_session_authenticated_by
  check (authenticated_by <@ array['password', 'second-factor', 'passkey', 'sign-on']) not valid;
alter table user_session add constraint user_session_confirmed_by
  check (confirmed_by <@ array['password', 'second-factor', 'passkey', 'sign-on']) not valid;
