-- What administrators find sessions, waits and identities by, among very many.

-- Each in the order of the list, as in 0008. A network of addresses is a range of this index.
create index user_session_address on user_session (ip_address, id) where ip_address is not null;
create index user_session_provider on user_session (sso_provider, id) where sso_provider is not null;
create index user_session_device on user_session (device_name, id) where device_name is not null;

-- Who waits after failed logins: few of all who failed.
create index login_throttle_waiting on login_throttle (blocked_until) where blocked_until is not null;

-- Names an identity of an account to whoever unties it. Never given again: one that was tied anew meanwhile is another.
alter table sso_identity add column number bigint generated always as identity;
