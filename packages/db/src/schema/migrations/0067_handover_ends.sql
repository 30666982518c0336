-- A hand-over gives no more than what asked for it: the cookie ends with the access token. Null: with the session.
alter table handover_code add column ends_at timestamptz;
alter table console_code add column ends_at timestamptz;
