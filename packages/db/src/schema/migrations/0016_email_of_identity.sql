-- The address that the person had at the provider at the last sign-on that the account's address followed (`follow`), as
-- SHA-256 of its key. Null: none so far.
alter table sso_identity add column email_digest bytea;
